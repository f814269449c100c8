#!/bin/sh
# An edited repository policy counts only once its bytes are trusted, and no longer after an edit.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

sample repository
cd repository
expect 0 "$RGX" init --yes
commit_all .

decisions() {
  expect "$1" "$RGX" plan --template api-replace --set from=ring_push --set to=ring_append
}

# The sample's tests are allowed by what `rgx init` wrote; this edit takes that away.
decisions 0
printf 'schema: rgx.policy/v1\nname: other\nlayer: repository\n' >.rgx/policy.yaml
decisions 0
says "$err" 'rgx policy trust .rgx/policy.yaml'
expect 0 "$RGX" policy trust .rgx/policy.yaml
says "$out" "trusted  sha256:$(sha256sum .rgx/policy.yaml | cut -d' ' -f1)"
decisions 3
grep -q "not trusted" "$err" && fail "it is trusted"

# Any other byte needs trust again.
echo '# an edit' >>.rgx/policy.yaml
decisions 0
says "$err" "is not trusted"

# Trusting twice adds nothing.
expect 0 "$RGX" policy trust .rgx/policy.yaml
cp "$HOME/.config/rgx/trusted-policies" "$base/once"
expect 0 "$RGX" policy trust .rgx/policy.yaml
cmp "$base/once" "$HOME/.config/rgx/trusted-policies" || fail "a digest stands twice"

# Not a policy, not of this layer, not there.
echo 'schema: other' >bad.yaml
expect 2 "$RGX" policy trust bad.yaml
says "$err" "bad.yaml:1:"
expect 2 "$RGX" policy trust none.yaml
says "$err" '`none.yaml` does not exist'
expect 2 "$RGX" policy trust "$RGX_SOURCE/policies/default.yaml"
says "$err" 'is a policy of layer `org`'
cmp "$base/once" "$HOME/.config/rgx/trusted-policies" || fail "something else is trusted"
