#!/bin/sh
# release-prepare on the three samples: the new version stands wherever the old one did, a changelog
# gets its section, the tests pass; a version that is already there is nothing to do.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs python3

# sample_ready NAME OPTIONS...: a repository with a sample, set up.
sample_ready() {
  cd "$base"
  sample "$1" "$1"
  cd "$1"
  shift
  expect 0 "$RGX" init --yes "$@"
  commit_all .
}

sample_ready sample-python
plan_and_run "prepare release 0.10.0 and run the tests"
cat >"$base/expected" <<'END_LINES'
file CHANGELOG.md
+## [0.10.0]
+
file pyproject.toml
-version = "0.9.0"
+version = "0.10.0"
file stocktake/__init__.py
-__version__ = "0.9.0"
+__version__ = "0.10.0"
END_LINES
changed_lines | same_as "$base/expected"
[ "$(sed -n '3,5p' CHANGELOG.md)" = "## Unreleased

## [0.10.0]" ] || fail "changelog: $(head -n 8 CHANGELOG.md)"
verified
commit_all .

# In a worktree of its own a release is one commit, ready for its tag; the checkout is left alone.
expect 0 "$RGX" run "prepare release 0.10.1" --worktree
branch=$(git for-each-ref --format='%(refname:short)' 'refs/heads/rgx/*')
[ "$(git log --format=%s "HEAD..$branch")" = "prepare release 0.10.1" ] ||
  fail "the branch: $(git log --oneline "HEAD..$branch")"
git show "$branch:pyproject.toml" | grep -q '^version = "0.10.1"' || fail "not the new version"
[ "$(git diff --name-only "HEAD..$branch" | tr '\n' ' ')" = \
  "CHANGELOG.md pyproject.toml stocktake/__init__.py " ] || fail "other files than the plan's"
git tag v0.10.1 "$branch"
[ -z "$(git status --porcelain)" ] || fail "the checkout was touched: $(git status --porcelain)"
verified

expect 2 "$RGX" plan "prepare release 1.x"
[ -z "$(git status --porcelain)" ] || fail "a plan changed files"

# Tests that fail: the run fails, and rollback gives the old version back.
printf 'import unittest\n\n\nclass VersionTest(unittest.TestCase):\n' >tests/test_version.py
{
  printf '    def test_is_announced(self):\n        import stocktake\n'
  printf '        self.assertEqual(stocktake.__version__, "0.10.0")\n'
} >>tests/test_version.py
commit_all .
expect 1 "$RGX" run "prepare release 0.11.0"
says "$err" "test_is_announced"
verified
expect 0 "$RGX" rollback last
[ -z "$(git status --porcelain)" ] || fail "rolled back, but $(git status --porcelain)"

sample_ready sample-node -- node --test
expect 0 "$RGX" plan "准备发布 2.4.0" --out "$base/plan.json"
jq -r '.plan.steps[].with.path | select(. != null)' "$base/plan.json" >"$base/paths"
[ "$(tr '\n' ' ' <"$base/paths")" = "CHANGELOG.md package-lock.json package.json " ] ||
  fail "the plan changes $(cat "$base/paths")"
if [ -x /usr/bin/node ]; then
  expect 0 "$RGX" run --plan "$base/plan.json"
  [ "$(jq -r .version package.json)" = 2.4.0 ] || fail "package.json: $(cat package.json)"
  [ "$(jq -r '[.version, .packages[].version] | join(" ")' package-lock.json)" = \
    "2.4.0 2.4.0 1.0.0" ] || fail "package-lock.json: $(cat package-lock.json)"
  verified
else
  echo "not tested: node, which is not in /usr/bin" >&2
fi

[ -x /usr/bin/ctest ] || exit 0
sample_ready sample-cpp
plan_and_run "prepare release 1.5.0"
cat >"$base/expected" <<'END_LINES'
file CHANGELOG.md
+## [1.5.0]
+
file CMakeLists.txt
-project(meterlog VERSION 1.4.2 LANGUAGES CXX)
+project(meterlog VERSION 1.5.0 LANGUAGES CXX)
file include/meterlog/version.h
-#define METERLOG_VERSION "1.4.2"
+#define METERLOG_VERSION "1.5.0"
END_LINES
changed_lines | same_as "$base/expected"
verified
