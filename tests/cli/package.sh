#!/bin/sh
# The Debian package can be built, holds what it should, names what it needs, and its program runs
# from where it was unpacked. In continuous integration, as root, it is installed and removed, too.
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

build=$(dirname "$RGX")
for tool in cpack dpkg-deb dpkg-shlibdeps gzip; do
  command -v "$tool" >/dev/null || skip "$tool is not installed"
done
ninja -C "$build" rgx_pages >/dev/null || fail "the pages cannot be made"
expect 0 cpack --config "$build/CPackConfig.cmake" -B "$base/packed"
package=$(ls "$base"/packed/rgx_*.deb)

dpkg-deb --info "$package" >info
for library in libgit2-1.5 libssl3 libre2-9; do
  says info "$library"
done
mkdir root
dpkg-deb -x "$package" root
for file in bin/rgx share/man/man1/rgx.1.gz share/bash-completion/completions/rgx \
  share/zsh/vendor-completions/_rgx share/doc/rgx/README.md share/rgx/policies/default.yaml \
  share/rgx/templates/api-replace.yaml; do
  [ -f "root/usr/$file" ] || fail "there is no /usr/$file in the package"
done
expect 0 root/usr/bin/rgx --version
says "$out" "rgx "
expect 0 root/usr/bin/rgx template list
gzip -dc root/usr/share/man/man1/rgx.1.gz | grep -q '^.TH RGX 1' || fail "no manual page"
grep -q "$build" root/usr/bin/rgx && fail "the program names the folder that it was built in"

if [ "${CI:-}" != true ] || [ "$(id -u)" != 0 ]; then
  echo "not root in continuous integration: the package was unpacked, not installed" >&2
  exit 0
fi
if dpkg-query -W rgx >/dev/null 2>&1; then
  echo "rgx is installed on this machine already and is left alone" >&2
  exit 0
fi
expect 0 dpkg -i "$package"
trap 'dpkg -r rgx >/dev/null 2>&1' EXIT
expect 0 /usr/bin/rgx --version
got=0
/usr/bin/rgx doctor >"$out" 2>"$err" || got=$?
[ "$got" = 0 ] || [ "$got" = 7 ] || fail "rgx doctor exited with $got"
says "$out" "libgit2"
expect 0 dpkg -r rgx
[ ! -e /usr/bin/rgx ] || fail "something stays behind"
