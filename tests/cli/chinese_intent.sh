#!/bin/sh
# An intent in Chinese makes the plan that the same intent makes in English, but for the sentence.
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

sample repo
cd repo
expect 0 "$RGX" init --yes
expect 0 "$RGX" plan "replace ring_push with ring_append under src" --format json
jq -S '.plan | del(.intent)' "$out" >"$base/english"
expect 0 "$RGX" plan "把 src 下的 ring_push 替换为 ring_append" --format json
jq -S '.plan | del(.intent)' "$out" >"$base/chinese"
diff "$base/english" "$base/chinese" || fail "the two plans differ in more than the intent"
[ "$(jq -r .plan.intent "$out")" = "把 src 下的 ring_push 替换为 ring_append" ] ||
  fail "the intent is not kept"

# The sentence reaches people as it is, also where the locale knows no Chinese.
expect 0 env LC_ALL=C "$RGX" plan "把 src 下的 ring_push 替换为 ring_append"
says "$out" "把 src 下的 ring_push 替换为 ring_append"

reviewed_run "将 ring_push 改名为 ring_append 并证明测试通过"
! git grep -qw ring_push -- src tests || fail "ring_push is still there"
expect 0 "$RGX" verify last
