#!/bin/sh
# `rgx show --follow` shows a run while another process carries it out, and ends with it; it ends,
# too, where the writer was killed, and leaves the run alone when it is ended itself.
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

# until_true COMMAND...: waits for something that another process does.
until_true() {
  until_left=200
  until "$@"; do
    until_left=$((until_left - 1))
    [ "$until_left" -gt 0 ] || fail "it never came to: $*"
    sleep 0.1
  done
}
is_under_way() { "$RGX" runs 2>/dev/null | grep -q unfinished; }

sample project
cd project
# Tests that wait until they are told to go on.
mkfifo gate
printf 'test:\n\t@cat gate\n' >Makefile
echo gate >.gitignore
expect 0 "$RGX" init --yes
commit_all .

# The plan runs the tests only; its ledger is there once the run has started.
"$RGX" run "run the tests and report" >run.out 2>run.err &
runner=$!
until_true is_under_way
"$RGX" show last --follow >live 2>live.err &
watcher=$!
"$RGX" show last --follow --json >live.json 2>/dev/null &
ended=$!
until_true grep -q step_intent live
until_true grep -q step_intent live.json
grep -q run_sealed live && fail "sealed before the end"
# One that watches goes away: the run does not notice.
kill -TERM "$ended"
wait "$ended" || true
echo go >gate
wait "$watcher" || fail "the watcher exited with $?"
wait "$runner" || fail "the run exited with $?"
says live run_sealed
says live "state     succeeded"
says live.err "next: rgx verify r-"
jq -e .seq live.json >/dev/null || fail "no JSON lines"

# What is shown live is what is shown later.
expect 0 "$RGX" show last
grep -v '^run\|^state\|^steps\|^changed\|^$' "$out" >later
grep -v '^state\|^steps\|^changed\|^$' live | cmp - later || fail "live and later differ"

# A writer that was killed.
"$RGX" run "run the tests and report" >run.out 2>run.err &
runner=$!
until_true is_under_way
kill -KILL "$runner"
wait "$runner" 2>/dev/null || true
expect 0 "$RGX" show last --follow
says "$err" "there is no seal"
says "$out" "state     unfinished"
