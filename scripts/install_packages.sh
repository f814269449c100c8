# shellcheck shell=sh
# Sourced by scripts/check and scripts/quickstart: installs what is missing from Debian 12.
#
#   rgx_install_packages build        what building and running rgx needs
#   rgx_install_packages build check  and what the tests need
#
# On another system it prints the list of packages and exits 7. Nothing but Debian's own packages
# is installed, and nothing when all of them are there.

rgx_packages_build="
  ca-certificates cmake g++ git make ninja-build pkg-config
  libcli11-dev libcurl4-openssl-dev libexpected-dev libfmt-dev libgit2-dev librange-v3-dev
  libre2-dev libseccomp-dev libsimdjson-dev libspdlog-dev libssl-dev libyaml-cpp-dev
  libutf8proc-dev"

# libclang-rt-19-dev holds the sanitizers' run-time library.
# nodejs, python3 and its pip run the tests of the sample projects.
rgx_packages_check="
  ccache clang-19 clang-format-19 clang-tidy-19 libclang-rt-19-dev llvm-19
  dpkg-dev jq libgmock-dev libgtest-dev librapidcheck-dev mandoc nodejs python3 python3-pip
  shellcheck strace"

# RGX_OS_RELEASE: the file that names the system, for tests of this script.
rgx_is_debian_12() {
  rgx_release=${RGX_OS_RELEASE:-/etc/os-release}
  [ -r "$rgx_release" ] || return 1
  # shellcheck disable=SC1090  # not part of this repository
  [ "$(. "$rgx_release" && printf '%s %s' "${ID:-}" "${VERSION_ID:-}")" = "debian 12" ]
}

rgx_has_package() {
  # shellcheck disable=SC2016  # dpkg-query expands it
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

rgx_install_packages() {
  rgx_wanted=
  for rgx_group in "$@"; do
    case $rgx_group in
      build) rgx_wanted="$rgx_wanted $rgx_packages_build" ;;
      check) rgx_wanted="$rgx_wanted $rgx_packages_check" ;;
      *) echo "rgx_install_packages: no group \`$rgx_group\`" >&2; exit 70 ;;
    esac
  done

  if ! rgx_is_debian_12; then
    {
      echo "this is not Debian 12, so nothing is installed; rgx needs these Debian packages"
      echo "or what your system calls them:"
      for rgx_package in $rgx_wanted; do echo "  $rgx_package"; done
    } >&2
    exit 7
  fi

  rgx_missing=
  for rgx_package in $rgx_wanted; do
    rgx_has_package "$rgx_package" || rgx_missing="$rgx_missing $rgx_package"
  done
  [ -n "$rgx_missing" ] || return 0

  rgx_as_root=
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
      {
        echo "these Debian packages are missing, and installing them needs root or sudo:"
        echo " $rgx_missing"
        echo "as root: apt-get install --no-install-recommends$rgx_missing"
      } >&2
      exit 7
    fi
    rgx_as_root=sudo
  fi
  echo "installing from Debian:$rgx_missing" >&2
  # shellcheck disable=SC2086  # a list of words
  if ! $rgx_as_root apt-get -q update >&2 </dev/null ||
    ! $rgx_as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -q -y install --no-install-recommends $rgx_missing >&2 </dev/null; then
    echo "apt-get could not install the packages; its message is above" >&2
    exit 7
  fi
}
