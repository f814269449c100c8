#!/bin/sh
# Phases, conditions and includes from a template file to the end of a run: a template beside the
# first one is found, what does not hold is not in the plan or is skipped, and mistakes in an
# include are told before anything is compiled.
# shellcheck disable=SC2016  # backticks and references in messages and templates
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs make

sample repo
cd repo
expect 0 "$RGX" init --yes
commit_all .
mkdir "$base/t"
cat >"$base/t/inner.yaml" <<'END_TEMPLATE'
schema: rgx.template/v1
name: inner
version: "1.0"
summary: "Rename in every file that has the word"
parameters:
  from: {type: identifier, required: true, description: "the old name"}
  to: {type: identifier, required: true, description: "the new name"}
facts:
  hits: {probe: search.text, with: {word: "${params.from}", paths: [src, tests]}}
steps:
  - id: edit
    use: file.edit
    for_each: "${facts.hits.paths}"
    with: {path: "${item}", edits: [{word: "${params.from}", to: "${params.to}"}]}
END_TEMPLATE
cat >"$base/t/outer.yaml" <<'END_TEMPLATE'
schema: rgx.template/v1
name: outer
version: "1.0"
summary: "Look, rename, and test what was found"
parameters:
  from: {type: identifier, required: true, description: "the old name"}
  kind: {type: enum, values: [look, full], default: full, description: "how much"}
facts:
  project: {probe: project.settings}
phases: [look, change, prove]
steps:
  - {id: find, phase: look, use: search.text, with: {word: "${params.from}", paths: [src]}}
  - id: rename
    phase: change
    include: inner
    with: {from: "${params.from}", to: ring_append}
    when: {equals: ["${params.kind}", full]}
  - id: tests
    phase: prove
    use: exec
    with: {argv: "${facts.project.test_argv}"}
    read: ["**"]
    write: "${facts.project.test_writes}"
    when: {not: {equals: ["${steps.find.count}", 0]}}
    retry: {attempts_max: 2, backoff_ms: 10, reasons: [transient]}
END_TEMPLATE

expect 0 "$RGX" template check "$base/t/outer.yaml"
plan_and_run --template "$base/t/outer.yaml" --set from=ring_push
jq -r '.plan.steps[].id' "$base/plan.json" | head -n 2 >"$base/ids"
printf 'find\nrename.edit[src/average.c]\n' | same_as "$base/ids"
[ "$(jq -r '.plan.includes[].name' "$base/plan.json")" = inner ] || fail "inner is not named"
! git grep -qw ring_push -- src tests || fail "ring_push is still there"
verified
git checkout -q .

# What a parameter decides is not in the plan.
expect 0 "$RGX" plan --template "$base/t/outer.yaml" --set from=ring_push --set kind=look \
  --out "$base/look.json"
[ "$(jq -r '.plan.steps | length' "$base/look.json")" = 2 ] || fail "there are other steps"

# What a run decides is skipped, and that is no failure.
expect 0 "$RGX" plan --template "$base/t/outer.yaml" --set from=no_such_word --set kind=look \
  --out "$base/plan.json"
expect 0 "$RGX" run --plan "$base/plan.json"
says "$out" "succeeded"
expect 0 "$RGX" show last
says "$out" "its condition does not hold"
verified

# Mistakes in an include.
sed -i 's/include: inner/include: iner/' "$base/t/outer.yaml"
expect 2 "$RGX" template check "$base/t/outer.yaml"
says "$err" 'step `rename` includes `iner`, which is no template'
sed -i 's/include: iner/include: outer/' "$base/t/outer.yaml"
expect 2 "$RGX" template check "$base/t/outer.yaml"
says "$err" "[template.include_cycle]"
