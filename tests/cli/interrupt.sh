#!/bin/sh
# A run that is interrupted ends in order: the first SIGINT lets running steps end, a second one or
# SIGTERM ends them; nothing new starts; the evidence is sealed and says so.
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

sample repo
cd repo
cat >Makefile <<'END'
test:
	mkdir -p build
	touch build/started
	i=0; while [ ! -e build/go ] && [ $$i -lt 600 ]; do sleep 0.1; i=$$((i + 1)); done
	touch build/ended
END
cat >"$base/after.yaml" <<'END'
schema: rgx.template/v1
name: test-then-edit
version: "1.0.0"
summary: "Run the tests, then edit a file"
utterances:
  en: ["test then edit"]
facts:
  project: {probe: project.settings}
steps:
  - id: tests
    use: exec
    with: {argv: "${facts.project.test_argv}"}
    read: ["**"]
    write: "${facts.project.test_writes}"
    timeout_ms: 120000
  - id: edit
    use: file.edit
    needs: [tests]
    with: {path: "src/average.c", edits: [{word: sum, to: total}]}
END
rm -rf .git
commit_all .
expect 0 "$RGX" init --yes
commit_all .

# start: a run in the background, until its program runs.
start() {
  rm -rf build
  "$RGX" run --template "$base/after.yaml" --json >"$out" 2>"$err" </dev/null &
  child=$!
  tries=0
  until [ -e build/started ]; do
    tries=$((tries + 1))
    [ "$tries" -le 600 ] || fail "the step never started: $(cat "$err")"
    sleep 0.05
  done
}

# ends CODE: waits for it.
ends() {
  code=0
  wait "$child" || code=$?
  [ "$code" = "$1" ] || fail "exit code $code, not $1: $(cat "$err")"
  [ "$(jq -r .exit_code "$out")" = "$1" ] || fail "the report says $(jq -r .exit_code "$out")"
  [ "$(jq -r .state "$out")" = interrupted ] || fail "state: $(jq -r .state "$out")"
  git diff --quiet || fail "a step started after the interruption"
  expect 0 "$RGX" verify last
  expect 0 "$RGX" show last
  says "$out" "run_interrupted"
  says "$out" "step_skipped"
  expect 0 "$RGX" runs
  says "$out" "interrupted"
}

# ---- one SIGINT: the running step ends by itself -------------------------------------------------
start
kill -INT "$child"
tries=0
until grep -q "interrupted" "$err"; do
  tries=$((tries + 1))
  [ "$tries" -le 200 ] || fail "nobody was told of the interruption"
  sleep 0.05
done
kill -0 "$child" || fail "one SIGINT ended it at once"
touch build/go
ends 130
[ -e build/ended ] || fail "the running step was cut short"

# ---- two: it is ended ----------------------------------------------------------------------------
start
kill -INT "$child"
sleep 0.3
kill -INT "$child"
ends 130
[ ! -e build/ended ] || fail "the second SIGINT did not end the step"

# ---- SIGTERM: ended as well ----------------------------------------------------------------------
start
kill -TERM "$child"
ends 143
[ ! -e build/ended ] || fail "SIGTERM did not end the step"

# ---- SIGHUP, the terminal is gone: likewise, unless somebody said to ignore it -------------------
start
kill -HUP "$child"
ends 143
[ ! -e build/ended ] || fail "SIGHUP did not end the step"
trap '' HUP
start
trap - HUP
kill -HUP "$child"
sleep 0.3
touch build/go
code=0
wait "$child" || code=$?
[ "$code" = 0 ] || fail "an ignored SIGHUP ended the run with $code"
