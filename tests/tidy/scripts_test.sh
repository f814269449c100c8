#!/bin/sh
# usage: scripts_test.sh ROOT
# Every script that people start answers --help with exit code 0 and something to read, and refuses
# an option that it does not know with exit code 2, before it does anything else.
set -eu
root=${1:?usage: scripts_test.sh ROOT}
failed=0
for script in "$root"/scripts/*; do
  case $(head -n 1 "$script") in
    '#!/bin/sh'*) ;;
    *) continue ;;  # a part that others source
  esac
  status=0
  help=$(sh "$script" --help </dev/null 2>/dev/null) || status=$?
  case $status:$help in
    0:*usage:*) ;;
    *) echo "$script --help: exit code $status, or no usage line" >&2; failed=1 ;;
  esac
  status=0
  sh "$script" --no-such-option </dev/null >/dev/null 2>&1 || status=$?
  if [ "$status" != 2 ]; then
    echo "$script --no-such-option: exit code $status instead of 2" >&2
    failed=1
  fi
done

# On another system the scripts that install print the list of packages and exit with 7.
release=$(mktemp)
trap 'rm -f "$release"' EXIT
printf 'ID=fedora\nVERSION_ID=43\n' >"$release"
for name in check quickstart; do
  [ -f "$root/scripts/$name" ] || continue
  status=0
  output=$(RGX_OS_RELEASE=$release sh "$root/scripts/$name" </dev/null 2>&1) || status=$?
  case $status:$output in
    7:*libyaml-cpp-dev*) ;;
    *) echo "scripts/$name on another system: exit code $status, or no list" >&2; failed=1 ;;
  esac
done

# A folder that is no repository, or is not there, is refused before anything is built.
if [ -f "$root/scripts/quickstart" ]; then
  for folder in / /no/such/folder; do
    status=0
    sh "$root/scripts/quickstart" "$folder" </dev/null >/dev/null 2>&1 || status=$?
    [ "$status" = 2 ] || { echo "scripts/quickstart $folder: exit code $status" >&2; failed=1; }
  done
fi
exit $failed
