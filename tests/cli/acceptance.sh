#!/bin/sh
# What was done is judged by somebody else: in a copy of the workspace, by checks that the plan
# fixed. A run that changed what the judge relies on waits for a person; one that fails is refused.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

# The agent is the command `make agent`: it stands for a program that does as it likes with what it
# may write.
sample repo
cd repo
cat >>Makefile <<'END'

agent:
	sh agent.sh
END
echo 'true' >agent.sh
expect 0 "$RGX" init --yes
cat >.rgx/policy.yaml <<'END'
schema: rgx.policy/v1
name: sample
layer: repository
rules:
  - {id: make, effect: allow, tool: [exec, check.tests], argv: [make, "*"], read: ["**"],
     write: ["**"], why: "tests and the agent", remedy: "use make"}
END
expect 0 "$RGX" policy trust .rgx/policy.yaml
commit_all .

cat >"$base/agent.yaml" <<'END'
schema: rgx.template/v1
name: agent-work
version: "1.0.0"
summary: "Let a program change sources and tests, then have its work judged"
utterances:
  en: ["agent work"]
steps:
  - id: agent
    use: exec
    with: {argv: [make, agent]}
    read: ["**"]
    write: ["src/**", "tests/**", "build/**"]
acceptance:
  - use: check.tests
    with: {argv: [make, test]}
    read: ["**"]
    write: ["build/**"]
  - use: check.paths
    with: {changed_only: ["src", "tests"]}
  - use: check.diff
    with: {lines_max: 40}
END

# go CODE SCRIPT: the agent does SCRIPT.
go() {
  git checkout -q . && git clean -qfd
  printf '%s\n' "$2" >agent.sh
  [ -z "$(git status --porcelain agent.sh)" ] || commit_all .
  expect "$1" "$RGX" run --template "$base/agent.yaml" --json
  cp "$out" "$base/report.json"
}
verdict() {
  jq -r '.acceptance as $it | [.state, $it.verdict, ($it.checks | map(.state) | join(" "))] |
    join("/")' "$base/report.json"
}

# ---- accepted -----------------------------------------------------------------------------------
go 0 'echo "/* note */" >>src/ring.c'
[ "$(verdict)" = "succeeded/accepted/succeeded succeeded succeeded" ] || fail "$(verdict)"
[ ! -e build/ring_test ] || fail "the judge wrote into the workspace"
expect 0 "$RGX" verify last
head -n 1 "$out" | grep -q '^VERIFIED ' || fail "verdict: $(head -n 1 "$out")"
ledger=$(run_folder)/ledger.jsonl
record=$(jq '.acceptance.checks[0].record' "$base/report.json")
[ "$(jq -r "select(.record.seq == $record) | .record.body | .step + .state" "$ledger")" = \
  "acceptance[1]succeeded" ] || fail "the report cites another record"
[ "$(tail -n 1 "$ledger" | jq -r .record.body.acceptance.verdict)" = accepted ] || fail "the seal"
expect 0 "$RGX" show last
says "$out" "acceptance[1]"
says "$out" "judge accepted"

# ---- tests that fail ----------------------------------------------------------------------------
go 1 'echo "#error broken" >>src/ring.c'
[ "$(verdict)" = "failed/refused/failed succeeded succeeded" ] || fail "$(verdict)"
says "$err" "#error broken"
expect 0 "$RGX" rollback last
git diff --quiet || fail "the work of the agent is still there"

# ---- an agent that edits the tests so that they pass ---------------------------------------------
go 6 'echo "int main(void) { return 0; }" >tests/ring_test.c'
[ "$(verdict)" = "waiting/needs_review/succeeded succeeded succeeded" ] || fail "$(verdict)"
[ "$(jq -r '.acceptance.changed_judge | join(" ")' "$base/report.json")" = tests/ring_test.c ] ||
  fail "$(cat "$base/report.json")"
[ "$(jq -r .exit_code "$base/report.json")" = 6 ] || fail "exit code in the report"
[ "$(jq -r '.waiting[0].step' "$base/report.json")" = acceptance ] || fail "who waits"
expect 9 "$RGX" verify last
expect 0 "$RGX" runs
says "$out" "waiting"
ledger=$(run_folder)/ledger.jsonl
[ "$(tail -n 1 "$ledger" | jq -r '.record | .type, .body.acceptance.changed_judge[0].path' |
  paste -sd ' ')" = "run_suspended tests/ring_test.c" ] || fail "$(tail -n 1 "$ledger")"

expect 2 "$RGX" approve last 'acceptance[1]'
says "$err" "[approval.not_asked]"
expect 0 "$RGX" approve last acceptance --reason "the test was wrong"
says "$out" "changed   tests/ring_test.c"
says "$out" "check     acceptance[1]  check.tests  succeeded"
says "$out" "approved acceptance of run r-"
steps=$(grep -c step_intent "$ledger")

# ---- what was approved is what was judged --------
cp tests/ring_test.c "$base/judged.c"
echo "/* once more */" >>tests/ring_test.c
expect 8 "$RGX" resume last
says "$err" "[run.judged_drift]"
says "$err" "tests/ring_test.c"
cp "$base/judged.c" tests/ring_test.c
expect 0 "$RGX" resume last
says "$err" ": 0 steps to go, 4 done before"
says "$out" "judge     accepted: 3 of 3 checks passed"
[ "$(grep -c step_intent "$ledger")" = "$steps" ] || fail "something ran again"
record=$(tail -n 1 "$ledger" | jq -r .record.body.acceptance.approval)
[ "$(jq -r "select(.record.seq == $record) | .record.body | .answer + .step" "$ledger")" = \
  approveacceptance ] || fail "the seal cites another record"
verified
python3 -B "$RGX_SOURCE/tests/golden/ledger/second_verifier.py" "$ledger" \
  "$HOME/.config/rgx/root.key" >"$out" || fail "the second verifier: $(cat "$out")"
expect 2 "$RGX" approve last acceptance
says "$err" "[approval.finished]"

# ---- and it may be refused -----------------------------------------------------------------------
go 6 'echo "int main(void) { return 0; }" >tests/ring_test.c'
expect 2 "$RGX" reject last acceptance
expect 0 "$RGX" reject last acceptance --reason "the test is gone"
expect 1 "$RGX" resume last --json
cp "$out" "$base/report.json"
[ "$(verdict)" = "failed/refused/succeeded succeeded succeeded" ] || fail "$(verdict)"
says "$base/report.json" "the test is gone"
verified
expect 0 "$RGX" rollback last
git diff --quiet || fail "the work of the agent is still there"

# ---- an agent that leaves a program where the tests will look for it ----------------------------
go 1 'mkdir -p build; printf "#!/bin/sh\n" >build/ring_test; chmod 755 build/ring_test;
touch -d 2099-01-01 build/ring_test; echo "#error broken" >>src/ring.c'
[ "$(verdict)" = "failed/refused/failed succeeded succeeded" ] || fail "$(verdict)"

# ---- paths and size -----------------------------------------------------------------------------
sed -i -e 's/changed_only: .*/changed_only: ["src\/average.c"]}/' \
  -e 's/lines_max: 40/lines_max: 1/' "$base/agent.yaml"
go 1 'echo "/* one */" >>src/ring.c; echo "/* two */" >>src/ring.h'
[ "$(verdict)" = "failed/refused/succeeded failed failed" ] || fail "$(verdict)"
says "$err" "src/ring.c"
says "$err" "2 lines in 2 files changed"
