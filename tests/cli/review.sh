#!/bin/sh
# Review on a terminal: the plan, its decisions, worst case and digests are shown, and nothing runs
# but after yes. Without a terminal nobody is asked.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
command -v script >/dev/null || skip "there is no script(1), which makes a terminal"
script --version 2>/dev/null | grep -q util-linux || skip "script(1) is not that of util-linux"

sample repository
cd repository
tests_may_change
expect 0 "$RGX" init --yes
commit_all .
intent="replace ring_push with ring_append under src and tests"
cp -R . "$base/before"

# answer CODE TEXT: runs the intent on a terminal where somebody types TEXT.
answer() {
  answer_got=0
  printf '%s' "$2" |
    script -qec "'$RGX' run '$intent' --progress none" /dev/null >"$out" 2>&1 || answer_got=$?
  [ "$answer_got" = "$1" ] || {
    cat "$out" >&2
    fail "after \`$2\` the exit code is $answer_got, not $1"
  }
}
unchanged() {
  diff -r --exclude=.git "$base/before" . || fail "something ran: $1"
  [ "$("$RGX" runs --json 2>/dev/null | jq '.runs | length')" = 0 ] || fail "a run began: $1"
}

for refusal in 'no
' 'maybe
' '
'; do
  answer 6 "$refusal"
  unchanged "$refusal"
  says "$out" "nothing ran"
done
says "$out" "edit[src/ring.c]"
says "$out" "rule edit-workspace"
says "$out" "worst case"
says "$out" "plan digest"
says "$out" "admission digest"
says "$out" "run this plan? yes or no:"

# The end of input (Ctrl-D) is no yes.
answer 6 "$(printf '\004')"
unchanged "end of input"

# What was shown is what runs.
shown=$(sed -n 's/^admission digest *\(sha256:[0-9a-f]*\).*/\1/p' "$out")
answer 0 'yes
'
grep -q ring_append src/ring.c || fail "nothing was changed"
"$RGX" show last --json >shown.json 2>/dev/null
[ "$(jq -r '.records[0].body.admission_digest' shown.json)" = "$shown" ] ||
  fail "another admission ran than $shown"
rm shown.json
expect 0 "$RGX" verify last

# Nobody is asked where there is no terminal: policy says whether a plan must be seen.
expect 0 "$RGX" rollback last
printf 'schema: rgx.policy/v1\nname: seen\nlayer: run\nreview: plan\n' >"$base/seen.yaml"
expect 6 "$RGX" run "$intent" --policy "$base/seen.yaml"
says "$err" 'policy says `review: plan`'
accept=$(sed -n 's/.*--accept \(sha256:[0-9a-f]*\).*/\1/p' "$err" | head -n 1)
other=sha256:$(printf '%064d' 0)
expect 8 "$RGX" run "$intent" --policy "$base/seen.yaml" --accept "$other"
diff -r --exclude=.git --exclude=build "$base/before" . || fail "something ran"
expect 0 "$RGX" run "$intent" --policy "$base/seen.yaml" --accept "$accept"
