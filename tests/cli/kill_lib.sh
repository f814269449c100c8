# shellcheck shell=sh disable=SC2034,SC2154  # variables of lib.sh and for who sources this
# Sourced after lib.sh by the scripts that kill runs. A kill comes at a system call, by strace's
# injection, and never at a time: so the moments are the same on every machine.

# needs_injection: skips the script where strace cannot do that.
needs_injection() {
  command -v strace >/dev/null || skip "strace is not installed"
  strace -e trace=close true 2>/dev/null || skip "strace may not trace here"
  injection_got=0
  strace -o "$base/probe" -e trace=close -e inject=close:signal=KILL:when=1 true 2>/dev/null ||
    injection_got=$?
  [ "$injection_got" = 137 ] || skip "this strace cannot inject signals"
}

# killable_sample: the folder `repo` with a committed project whose tests run RECIPE (a line of a
# Makefile), and the plan of six steps for it in $base/plan.json: five edits, then the program.
killable_sample() {
  sample repo
  cd repo || fail "no sample"
  printf 'test:\n\tmkdir -p build\n\t%s\n' "$1" >Makefile
  rm -rf .git
  commit_all .
  tests_may_change
  expect 0 "$RGX" init --yes
  commit_all .
  expect 0 "$RGX" plan "replace ring_push with ring_append under src and tests" \
    --out "$base/plan.json"
}

# undisturbed CALL[,CALL...]: a run that nobody kills. Its calls of those names are in $base/trace,
# one a line: only those of the thread that writes evidence and files. The tree is put back.
undisturbed() {
  expect 0 "$RGX" run --plan "$base/plan.json" # what only a first run does is over
  git diff >"$base/expected"
  git checkout -q .
  expect 0 traced -y -e trace="$1" -o "$base/trace" "$RGX" run --plan "$base/plan.json"
  undisturbed_folder=$(run_folder)
  git checkout -q .
}

# traced ARGUMENTS...: strace. The leak check of a sanitizer build cannot run under a tracer.
traced() {
  ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 strace "$@"
}

# killed CALL N: a run that is killed as it enters its Nth CALL. $code is its exit code: 137.
killed() {
  code=0
  # In a shell of its own, which does not tell of the killed child.
  (traced -o "$base/killed" -e trace="$1" -e inject="$1:signal=KILL:when=$2" \
    "$RGX" run --plan "$base/plan.json" </dev/null >"$out" 2>"$err") 2>/dev/null || code=$?
}
