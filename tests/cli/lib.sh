# shellcheck shell=sh
# Sourced by the scripts beside it. RGX is the program, RGX_SOURCE the source folder; the current
# folder is empty and private, and HOME is private, too.
#
#   expect CODE COMMAND...   runs it; its output is in $out and $err; another exit code fails
#   says FILE TEXT           FILE contains TEXT, literally
#   silent FILE              FILE is empty

base=$(pwd)
out=$base/out
err=$base/err

fail() {
  echo "FAIL: $*" >&2
  exit 1
}

skip() {
  echo "skipped: $*" >&2
  exit 77
}

expect() {
  expect_code=$1
  shift
  expect_got=0
  "$@" >"$out" 2>"$err" </dev/null || expect_got=$?
  if [ "$expect_got" != "$expect_code" ]; then
    {
      echo "--- stdout"
      head -c 4000 "$out"
      echo "--- stderr"
      head -c 4000 "$err"
      echo "---"
    } >&2
    fail "\`$*\` exited with $expect_got, not $expect_code"
  fi
}

says() {
  grep -qF -e "$2" "$1" || {
    echo "--- $1" >&2
    head -c 4000 "$1" >&2
    fail "no \`$2\` in $1"
  }
}

silent() {
  [ ! -s "$1" ] || {
    head -c 4000 "$1" >&2
    fail "$1 is not empty"
  }
}

# sample DIR [NAME]: a fresh repository with a sample project (sample-c) and one commit.
sample() {
  mkdir -p "$1"
  cp -R "$RGX_SOURCE/examples/${2:-sample-c}/." "$1"
  rm -rf "$1/build" "$1/.rgx"
  commit_all "$1"
}

# needs PROGRAM...: skips the script where a program is missing from the places that the default
# policy names.
needs() {
  for needs_program in "$@"; do
    [ -x "/usr/bin/$needs_program" ] || [ -x "/usr/local/bin/$needs_program" ] ||
      skip "there is no \`$needs_program\` in /usr/bin or /usr/local/bin"
  done
}

# changed_lines: what differs from the last commit: a line for each file, then its lines that went
# and came. New files are lines `new PATH`.
changed_lines() {
  git -c core.quotePath=false diff --no-color --no-ext-diff -U0 |
    sed -n -e '/^--- /d' -e '/^+++ /{s/\t$//;s,^+++ b/,file ,p;d;}' -e '/^[-+]/p'
  git -c core.quotePath=false ls-files -o --exclude-standard | sed 's/^/new /'
}

# same_as EXPECTED: stdin, which is what EXPECTED (a file) says.
same_as() {
  cat >"$base/same_as"
  diff -u "$1" "$base/same_as" >&2 || fail "that differs from what was expected"
}

# verified: the evidence of the last run verifies.
verified() {
  expect 0 "$RGX" verify last
  head -n 1 "$out" | grep -q '^VERIFIED ' || fail "verdict: $(head -n 1 "$out")"
}

# plan_and_run INTENT_OR_OPTIONS...: `rgx plan`, and then exactly that plan.
plan_and_run() {
  expect 0 "$RGX" plan "$@" --out "$base/plan.json"
  expect 0 "$RGX" run --plan "$base/plan.json"
  says "$out" "succeeded"
}

# plan_and_review INTENT_OR_OPTIONS...: the same, where the plan changes the tests that judge it.
plan_and_review() {
  expect 0 "$RGX" plan "$@" --out "$base/plan.json"
  reviewed_run --plan "$base/plan.json"
}

# tests_may_change: the user's policy is the one that is compiled in, but lets a run change the
# tests that judge it. For scripts about something else.
tests_may_change() {
  mkdir -p "$HOME/.config/rgx"
  {
    sed 's/^layer: org .*/layer: user/' "$RGX_SOURCE/policies/default.yaml"
    printf '\nacceptance: {changed_judge: allow}\n'
  } >"$HOME/.config/rgx/policy.yaml"
  chmod 600 "$HOME/.config/rgx/policy.yaml"
}

# reviewed_run OPTIONS...: a run that changes the tests that judge it, and a person who has looked.
reviewed_run() {
  expect 6 "$RGX" run "$@"
  says "$out" "which the checks rely on"
  expect 0 "$RGX" approve last acceptance --reason "the tests change with the code"
  expect 0 "$RGX" resume last
  says "$out" "succeeded"
}

# commit_all DIR: everything in DIR, in a repository made when there is none.
commit_all() {
  [ -d "$1/.git" ] || git -C "$1" init -q
  git -C "$1" add -A
  git -C "$1" -c commit.gpgsign=false commit -q -m "state"
}

# run_folder: the folder of the last run that was started.
run_folder() {
  "$RGX" runs --json >"$base/runs.json" 2>/dev/null
  run_folder_id=$(jq -r '[.runs[] | select(.log_id != null)] | last | .run' "$base/runs.json")
  echo "$HOME"/.local/state/rgx/repositories/*/runs/"$run_folder_id"
}
