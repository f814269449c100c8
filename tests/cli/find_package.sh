#!/bin/sh
# Another project finds the installed verifier by find_package(rgx), links rgx::audit and verifies
# a ledger with it, and nothing of the source folder is needed for that.
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

build=$(dirname "$RGX")
setting() {
  sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}
sanitizers=$(setting RGX_SANITIZE)

expect 0 cmake --install "$build" --component development --prefix "$base/prefix"
[ -z "$(find prefix -type l)" ] || fail "links were installed: $(find prefix -type l)"
[ -f prefix/include/rgx/audit/verifier.h ] || fail "there is no audit/verifier.h"
[ ! -e prefix/bin ] || fail "the component holds programs"

cp -R "$RGX_SOURCE/tests/consumer" consumer
expect 0 cmake -S consumer -B consumer/build -G Ninja -D CMAKE_BUILD_TYPE=Debug \
  -D "CMAKE_PREFIX_PATH=$base/prefix" -D "CMAKE_CXX_COMPILER=$(setting CMAKE_CXX_COMPILER)" \
  -D "CMAKE_CXX_FLAGS=${sanitizers:+-fsanitize=$sanitizers}"
expect 0 cmake --build consumer/build

golden=$RGX_SOURCE/tests/golden/ledger
install -m 600 "$golden/root.key" root.key
expect 0 consumer/build/check_ledger "$golden/run.jsonl" root.key
says "$out" "VERIFIED"
sed 's/"pid":4711/"pid":4712/' "$golden/run.jsonl" >altered.jsonl
cmp -s "$golden/run.jsonl" altered.jsonl && fail "nothing was altered"
expect 1 consumer/build/check_ledger altered.jsonl root.key
says "$out" "TAMPERED"
