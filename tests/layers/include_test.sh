#!/bin/sh
# usage: include_test.sh allows|forbids HEADER FILE COMPILER [INCLUDE_FOLDER]...
# Compiles FILE, written here with one `#include "HEADER"`, with the given include folders only.
# `forbids` passes when exactly that include is not found, and a control file does compile.
set -eu
if [ $# -lt 4 ]; then
  echo "usage: include_test.sh allows|forbids HEADER FILE COMPILER [INCLUDE_FOLDER]..." >&2
  exit 2
fi
expectation=$1
header=$2
file=$3
compiler=$4
shift 4

# The folders become options: -I, since the compiler then leaves its own folders in place. The
# positional parameters are the only list that sh has.
count=$#
while [ "$count" -gt 0 ]; do
  set -- "$@" -I "$1"
  shift
  count=$((count - 1))
done

compile() {
  printf '#include "%s"\nint main() {}\n' "$1" >"$file"
  shift
  LC_ALL=C "$compiler" -std=c++20 -fsyntax-only "$@" "$file" 2>"$file.errors"
}

if [ "$expectation" = allows ]; then
  if compile "$header" "$@"; then
    exit 0
  fi
  echo "an allowed include of \`$header\` does not compile:" >&2
  cat "$file.errors" >&2
  exit 1
fi

# The control: with the same folders, an allowed header compiles.
if ! compile base/result.h "$@"; then
  echo "the control does not compile, so the test proves nothing:" >&2
  cat "$file.errors" >&2
  exit 1
fi
if compile "$header" "$@"; then
  echo "a forbidden include of \`$header\` compiles" >&2
  exit 1
fi
if grep -q -e "$header: No such file or directory" -e "'$header' file not found" \
  "$file.errors"; then
  exit 0
fi
echo "the include of \`$header\` fails, but not because it is out of sight:" >&2
cat "$file.errors" >&2
exit 1
