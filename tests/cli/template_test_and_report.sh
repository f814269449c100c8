#!/bin/sh
# test-and-report on the samples in Python and JavaScript: the tests that pass are 0, the ones that
# fail are 1 and named, and a repository that allows another command only is 3.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs python3

sample python sample-python
cd python
expect 0 "$RGX" init --yes
commit_all .
plan_and_run "run the tests and report"
[ -z "$(git status --porcelain)" ] || fail "a test run changed files"
verified

sed -i 's/isdigit()/isalpha()/' stocktake/count.py
expect 1 "$RGX" run "run the tests and report" --json
[ "$(jq -r .state "$out")" = failed ] || fail "state: $(cat "$out")"
says "$err" "test_names_in_chinese"
verified
git checkout -q .

# The settings name another command than the policy allows.
sed -i 's/"unittest"\]/"unittest", "-v"]/' .rgx/config.yaml
grep -q '"-v"' .rgx/config.yaml || fail "the settings did not change"
expect 3 "$RGX" run "run the tests and report"
says "$err" "python3 -m unittest -v"
git checkout -q .

cd "$base"
if [ ! -x /usr/bin/node ]; then
  echo "not tested: node, which is not in /usr/bin" >&2
  exit 0
fi
sample node sample-node
cd node
expect 0 "$RGX" init --yes -- node --test
commit_all .
plan_and_run "运行测试并汇报结果"
verified
sed -i 's/ \*COLD\*/ COLD/' src/label.js
expect 1 "$RGX" run "which tests fail"
says "$err" "# pass 3"
says "$err" "# fail 1"
verified
