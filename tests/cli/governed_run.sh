#!/bin/sh
# A run changes exactly the files that its plan named. A step outside policy exits 3, names rule and
# line, and leaves no trace but its record. A dependent of a failed step does not run; exit 1.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

sample repo
cd repo
expect 0 "$RGX" init --yes
commit_all .
index=$(echo "$HOME"/.local/state/rgx/repositories/*/index.jsonl)
[ ! -e "$index" ] || fail "there is an index before anything ran"

# ---- a run, from a plan file --------------------------------------------------------------------
expect 0 "$RGX" plan --template api-replace --set from=ring_push --set to=ring_append \
  --set scope=src --set scope=tests --out "$base/plan.json"
says "$out" "admission digest"
says "$out" "next: rgx run --plan"
jq -r '.plan.steps[].with.path | select(. != null)' "$base/plan.json" | sort >"$base/named"
[ "$(wc -l <"$base/named")" = 5 ] || fail "the plan names $(cat "$base/named")"

reviewed_run --plan "$base/plan.json"
says "$out" "succeeded"
says "$out" "rgx verify r-"
git diff --name-only | sort >"$base/changed"
diff "$base/named" "$base/changed" || fail "other files changed than the plan named"
git ls-files -o --exclude-standard >"$base/untracked"
silent "$base/untracked"
! git grep -qw ring_push -- src tests || fail "ring_push is still there"
expect 0 make -s test

expect 0 "$RGX" verify last
head -n 1 "$out" | grep -q '^VERIFIED ' || fail "verdict: $(head -n 1 "$out")"
expect 0 "$RGX" show last
says "$out" "step_intent"
says "$out" "run_sealed"
expect 0 "$RGX" runs
says "$out" "succeeded"
expect 0 "$RGX" runs --json
[ "$(jq -r '.runs | length' "$out")" = 1 ] || fail "more than one run"

# The same plan again: its files are no longer what it was compiled for.
expect 8 "$RGX" run --plan "$base/plan.json"
says "$err" "has changed since the plan was compiled"
says "$err" "[run.drift]"
commit_all .

# ---- a step that policy refuses -----------------------------------------------------------------
before_tree=$(git status --porcelain | sha256sum)
before_state=$(find "$HOME/.local/state/rgx" -type f ! -name index.jsonl | sort | xargs sha256sum)
before_lines=$(wc -l <"$(echo "$HOME"/.local/state/rgx/repositories/*/index.jsonl)")
expect 3 "$RGX" run --template api-replace --set from=ring_append --set to=ring_add \
  --set scope=src --set scope=tests --policy frozen.yaml
says "$err" "  deny: file.edit, risk medium"
says "$err" "frozen-tests"
says "$err" "frozen.yaml:7"
says "$err" "leave tests/ out of the intent"
silent "$out"
[ "$before_tree" = "$(git status --porcelain | sha256sum)" ] || fail "a refused run changed files"
[ "$before_state" = "$(find "$HOME/.local/state/rgx" -type f ! -name index.jsonl | sort |
  xargs sha256sum)" ] || fail "a refused run left more than its record"
index=$(echo "$HOME"/.local/state/rgx/repositories/*/index.jsonl)
[ "$(wc -l <"$index")" = $((before_lines + 1)) ] || fail "a refusal is not exactly one record"
[ "$(tail -n 1 "$index" | jq -r .record.type)" = run_refused ] || fail "no refusal recorded"
expect 3 "$RGX" plan --template api-replace --set from=ring_append --set to=ring_add \
  --set scope=tests --policy frozen.yaml --out "$base/denied.json"
says "$err" "frozen.yaml:7"
[ ! -e "$base/denied.json" ] || fail "a denied plan was written"
[ "$(wc -l <"$index")" = $((before_lines + 1)) ] || fail "rgx plan recorded something"

# Paths that belong to the machinery are closed, whatever a repository says.
mkdir -p .github/workflows
echo "run: ring_append" >.github/workflows/ci.yml
commit_all .
expect 3 "$RGX" run "replace ring_append with ring_add under .github"
says "$err" "rgx.protected"
git diff --quiet || fail "a protected file changed"

# ---- a step that fails --------------------------------------------------------------------------
cat >"$base/three.yaml" <<'END'
schema: rgx.template/v1
name: three-steps
version: "1.0.0"
summary: "Edit, test, and edit again when the tests pass"
utterances:
  en: ["three steps"]
facts:
  project: {probe: project.settings}
steps:
  - id: first
    use: file.edit
    with: {path: "src/ring.c", edits: [{word: ring_append, to: ring_broken}]}
  - id: tests
    use: exec
    needs: [first]
    with: {argv: "${facts.project.test_argv}"}
    read: ["**"]
    write: "${facts.project.test_writes}"
    timeout_ms: 60000
  - id: last
    use: file.edit
    needs: [tests]
    with: {path: "src/average.c", edits: [{word: sum, to: total}]}
END
expect 1 "$RGX" run --template "$base/three.yaml" --json
[ "$(jq -r .state "$out")" = failed ] || fail "state: $(jq -r .state "$out")"
[ "$(jq -r .exit_code "$out")" = 1 ] || fail "exit code in the report"
[ "$(jq -r '[.steps[] | .step + "=" + .state] | join(" ")' "$out")" = \
  "first=succeeded tests=failed last=skipped" ] || fail "steps: $(jq -c .steps "$out")"
says "$err" "undefined reference"
git diff --name-only >"$base/changed"
[ "$(cat "$base/changed")" = src/ring.c ] || fail "changed: $(cat "$base/changed")"
! git grep -qw total -- src || fail "the dependent of a failed step ran"
expect 0 "$RGX" verify last
head -n 1 "$out" | grep -q '^VERIFIED ' || fail "a failed run's evidence: $(head -n 1 "$out")"
expect 0 "$RGX" show last
says "$out" "step_skipped"
git checkout -q src

# ---- review and acceptance ----------------------------------------------------------------------
printf 'schema: rgx.policy/v1\nname: careful\nlayer: run\nreview: plan\n' >"$base/careful.yaml"
intent="replace ring_append with ring_add under src and tests"
expect 6 "$RGX" run "$intent" --policy "$base/careful.yaml"
says "$err" "[run.not_reviewed]"
git diff --quiet || fail "an unreviewed plan ran"
digest=$(sed -n 's/^.* --accept //p' "$err")
expect 0 "$RGX" plan "$intent" --policy "$base/careful.yaml"
says "$out" "$digest"
zeros=sha256:0000000000000000000000000000000000000000000000000000000000000000
expect 8 "$RGX" run "$intent" --policy "$base/careful.yaml" --accept "$zeros"
says "$err" "the admission digest is now $digest"
expect 2 "$RGX" run "$intent" --policy "$base/careful.yaml" --accept 12
expect 6 "$RGX" run "$intent" --policy "$base/careful.yaml" --accept "$digest"
expect 0 "$RGX" approve last acceptance --policy "$base/careful.yaml"
expect 0 "$RGX" resume last --policy "$base/careful.yaml"
says "$out" "succeeded"
git checkout -q .

cat >"$base/asks.yaml" <<'END'
schema: rgx.policy/v1
name: asks
layer: run
rules:
  - {id: ask-first, effect: require_approval, write: ["src/**"], why: "w", remedy: "r"}
END
expect 6 "$RGX" run "$intent" --policy "$base/asks.yaml"
says "$out" "waiting"
says "$out" "rgx approve r-"
git diff --quiet -- src || fail "a step without its approval ran"
git checkout -q .

# ---- budgets ------------------------------------------------------------------------------------
cat >"$base/small.yaml" <<'END'
schema: rgx.policy/v1
name: small
layer: run
budgets: {run: {files_changed: 1}}
END
expect 5 "$RGX" run "$intent" --policy "$base/small.yaml" --json
says "$err" 'budget `files_changed`: the plan may need 5, allowed are 1'
[ "$(jq -r .state "$out")" = budget_exhausted ] || fail "state: $(cat "$out")"
git diff --quiet || fail "a plan over budget ran"
