#!/bin/sh
# What a run shows on stderr while it happens: the same run as lines, as JSON, on a terminal, read
# aloud and not at all. Whoever watches, or stops watching, changes nothing about the run.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
unset CI GITHUB_ACTIONS BUILDKITE ACCESSIBLE NO_COLOR CLICOLOR_FORCE LC_ALL LC_CTYPE
LANG=C.UTF-8
TERM=xterm
export LANG TERM

sample repo
cd repo
tests_may_change
expect 0 "$RGX" init --yes
commit_all .
expect 0 "$RGX" plan --template api-replace --set from=ring_push --set to=ring_append \
  --set scope=src --set scope=tests --out "$base/plan.json"

# again CODE ARGUMENT...: runs the plan on files as they were.
again() {
  again_code=$1
  shift
  git checkout -q .
  expect "$again_code" "$RGX" run --plan "$base/plan.json" "$@"
}
no_escapes() {
  ! grep -q "$(printf '\033')" "$1" || fail "an escape sequence in $1"
}

# ---- plain: one line when a step ends ------------------------------------------------------------
again 0 --progress plain
[ "$(grep -c '^ok    edit\[' "$err")" = 5 ] || fail "not one line for each step"
says "$err" "rgx   run r-"
says "$err" ": 9 steps, plan "
tail -n 1 "$err" | grep -q '^rgx   run r-[0-9a-f]* succeeded: 9/9 ok (' || fail "no last words"
no_escapes "$err"
again 0
tail -n 1 "$err" | grep -q 'succeeded: 9/9 ok' || fail "auto is not plain where nobody watches"

# ---- json: every step ends once, the exit code last ----------------------------------------------
again 0 --progress json --json
jq -e '.state == "succeeded"' "$out" >/dev/null || fail "the report is no longer JSON"
jq -e . "$err" >/dev/null || fail "a line of the stream is no JSON"
[ "$(head -n 1 "$err")" = '{"type":"stream","v":"1.0"}' ] || fail "not the header of a stream"
jq -se '
  (.[1].type == "run_start") and
  (.[-1] | .type == "run_end" and .state == "succeeded" and .exit_code == 0) and
  ([.[1].steps[].id] | sort) == ([.[] | select(.type == "step_end") | .step] | sort) and
  ([.[] | .at_ms // 0] | . == sort)' "$err" >/dev/null || fail "the stream breaks its promises"
[ "$(jq -rs '.[1].admission' "$err")" = "$(jq -r .admission_digest "$out")" ] ||
  fail "the stream and the report name two admissions"

# ---- none, and words that do not exist -----------------------------------------------------------
again 0 --progress none
silent "$err"
again 2 --progress liv
says "$err" 'did you mean `live`?'
again 2 --symbols emoji
says "$err" 'use auto, ascii or unicode'
git diff --quiet || fail "a wrong flag, and yet something ran"

# ---- read aloud ----------------------------------------------------------------------------------
git checkout -q .
ACCESSIBLE=1 "$RGX" run --plan "$base/plan.json" >"$out" 2>"$err" || fail "it ended the run"
says "$err" "The run succeeded: 9 of 9 steps succeeded."
! grep -q '^ok ' "$err" || fail "marks are read aloud"

# ---- colours as asked for ------------------------------------------------------------------------
git checkout -q .
CLICOLOR_FORCE=1 "$RGX" run --plan "$base/plan.json" >"$out" 2>"$err" || fail "colours end the run"
grep -q "$(printf '\033')\[32mok" "$err" || fail "no colour although forced"
git checkout -q .
NO_COLOR=1 CLICOLOR_FORCE=1 "$RGX" run --plan "$base/plan.json" >"$out" 2>"$err" || fail "NO_COLOR"
no_escapes "$err"

# ---- nobody reads, or stops reading --------------------------------------------------------------
git checkout -q .
"$RGX" run --plan "$base/plan.json" --progress plain >"$out" 2>&- || fail "a closed stderr ends it"
says "$out" "succeeded"
expect 0 "$RGX" verify last
again_into() {
  git checkout -q .
  "$RGX" run --plan "$base/plan.json" --progress "$1" 2>"$2" >"$out" || fail "$1 into $2 ended it"
  says "$out" "succeeded"
}
again_into plain /dev/full
again_into json /dev/full
mkfifo "$base/pipe"
git checkout -q .
head -c 1 "$base/pipe" >/dev/null &
reader=$!
"$RGX" run --plan "$base/plan.json" --progress json 2>"$base/pipe" >"$out" || fail "a reader left"
wait "$reader"
says "$out" "succeeded"

# ---- a failure is told when it happens, with its output, and is in the last words ----------------
git checkout -q .
printf 'test:\n\t@echo "ring_test.c:7: expected 5, got 4" >&2; exit 3\n' >Makefile
commit_all .
expect 0 "$RGX" plan --template api-replace --set from=ring_push --set to=ring_append \
  --set scope=src --set scope=tests --out "$base/plan.json"
again 1 --progress plain
grep -q '^FAIL  tests exec make test: exit status ' "$err" || fail "no line of the failure"
says "$err" "      | ring_test.c:7: expected 5, got 4"
tail -n 1 "$err" | grep -q ' failed: 5/9 ok, 1 FAILED, 3 skipped (' || fail "other last words"
again 1 --progress json
jq -se '.[-1].exit_code == 1 and .[-1].state == "failed"' "$err" >/dev/null || fail "no exit code 1"
git checkout -q .
GITHUB_ACTIONS=true "$RGX" run --plan "$base/plan.json" >"$out" 2>"$err" && fail "it cannot succeed"
grep -q '^::error title=step tests::exit status ' "$err" || fail "GitHub is not told of the error"
fence=$(sed -n 's/^::stop-commands::\(.*\)/\1/p' "$err" | tail -n 1)
[ "$(tail -n 1 "$err")" = "::$fence::" ] || fail "commands stay off behind the run"

# ---- a terminal ----------------------------------------------------------------------------------
if command -v script >/dev/null 2>&1; then
  git checkout -q .
  NO_COLOR=1 RGX_RUN="$RGX run --plan $base/plan.json --progress live" \
    script -qec "\$RGX_RUN" /dev/null >"$out" 2>&1 </dev/null || true
  says "$out" "FAIL"
  says "$out" "failed: 5/9 ok, 1 FAILED, 3 skipped"
  says "$out" "$(printf '\033')[?2026h"
  # What a frame changes in the terminal is changed back at its end.
  tr -d '\r' <"$out" | tr '\033' '\n' | grep -E '^\[\?(7|25|2026)[hl]' |
    sed 's/^\(\[?[0-9]*[hl]\).*/\1/' | tail -n 3 | tr -d '\n' >"$base/modes"
  [ "$(cat "$base/modes")" = '[?7h[?25h[?2026l' ] || fail "modes are left: $(cat "$base/modes")"
fi
