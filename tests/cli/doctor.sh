#!/bin/sh
# `rgx doctor` finds what is missing, says what to do about it, and exits 7; with everything there
# it exits 0. Templates can be listed and shown.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

# Outside a repository and without keys.
mkdir outside
cd outside
expect 7 env GIT_CEILING_DIRECTORIES="$base" "$RGX" doctor
says "$out" "fail  keys        root key"
says "$out" '`rgx init` makes one'
silent "$err"
cd ..

# Set up: nothing fails.
sample project
cd project
expect 0 "$RGX" init --yes
commit_all .
expect 0 "$RGX" doctor
says "$out" "test command"
says "$out" "make test"
says "$out" "read by          libgit2"
says "$out" " 0 fail"
expect 0 "$RGX" doctor --json
[ "$(jq -r .schema "$out")" = rgx.doctor/v1 ] || fail "no schema"
[ "$(jq '[.checks[] | select(.health == "fail")] | length' "$out")" = 0 ] || fail "something fails"
[ "$(jq '[.checks[] | select(.group == "policy")] | length' "$out")" = 2 ] || fail "two layers"

# A key that others can read, and a policy with a mistake.
chmod 644 "$HOME/.config/rgx/root.key"
expect 7 "$RGX" doctor
says "$out" "fail  keys"
chmod 600 "$HOME/.config/rgx/root.key"
echo "nonsense: true" >>.rgx/policy.yaml
commit_all .
expect 7 "$RGX" doctor
says "$out" "fail  policy"
says "$out" "nonsense"

expect 0 "$RGX" template list
says "$out" "api-replace"
expect 0 "$RGX" template list --json
expect 0 "$RGX" template show api-replace
says "$out" "said in \`zh\`"
expect 2 "$RGX" template show api-replac
says "$err" 'did you mean `api-replace`'
