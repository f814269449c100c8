#!/bin/sh
# The scripts of `rgx completion` work: bash completes commands, flags, values, runs and files; zsh
# and fish take theirs, where they are installed.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

expect 2 "$RGX" completion tcsh
expect 0 "$RGX" completion bash
cp "$out" rgx.bash
command -v bash >/dev/null || skip "there is no bash"
bash -n rgx.bash || fail "bash does not take its script"

# words_for WORD...: what bash offers for the last word.
words_for() {
  PATH="$(dirname "$RGX"):$PATH" bash --norc -c '
    . ./rgx.bash
    [ "$(complete -p rgx)" = "complete -F _rgx rgx" ] || exit 9
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rgx
    printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort | tr '\n' ' '
}
offers() {
  offered=$1
  shift
  [ "$(words_for "$@")" = "$offered " ] || fail "\`$*\`: \`$(words_for "$@")\`, not \`$offered \`"
}
touch plan.json policy.yaml
offers "plan policy" rgx p
offers "check eval explain lint test trust" rgx policy ""
offers "trust" rgx policy tr
offers "--format" rgx plan --fo
offers "markdown mermaid" rgx plan --format m
offers "markdown mermaid" rgx plan --format = m
offers "plan.json" rgx run --plan plan
offers "policy.yaml" rgx policy check pol
offers "audit-sweep" rgx plan --template audit
offers "bash" rgx completion b
offers "--key-file" rgx verify --k
offers "show" rgx help sh

# Runs of the repository.
sample project
cd project
tests_may_change
expect 0 "$RGX" init --yes
commit_all .
expect 0 "$RGX" run "replace ring_push with ring_append under src and tests"
run=$("$RGX" runs --json 2>/dev/null | jq -r '.runs[0].run')
cp ../rgx.bash .
offers "$run" rgx show r-
offers "last" rgx verify la
cd ..

expect 0 "$RGX" completion zsh
cp "$out" _rgx
expect 0 "$RGX" completion fish
cp "$out" rgx.fish
if command -v zsh >/dev/null; then
  zsh -n _rgx || fail "zsh does not take its script"
else
  echo "zsh is not installed: its script was not checked" >&2
fi
if command -v fish >/dev/null; then
  fish --no-execute rgx.fish || fail "fish does not take its script"
else
  echo "fish is not installed: its script was not checked" >&2
fi
