#!/bin/sh
# Under strace: before the first system call of an effect (the rename that puts a file in place, the
# execve of a program), the intent record of that step has been written and fdatasync has returned.
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

command -v strace >/dev/null || skip "strace is not installed"
strace -f -e trace=none true 2>/dev/null || skip "strace may not trace here"

sample repo
cd repo
tests_may_change
expect 0 "$RGX" init --yes
root=$(pwd -P)
calls=write,pwrite64,writev,fdatasync,fsync,rename,renameat,renameat2,linkat,execve,execveat
# The leak check of a sanitizer build cannot run under a tracer.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
code=0
strace -f -y -s 1048576 -e trace="$calls" -o "$base/trace" \
  "$RGX" run "replace ring_push with ring_append under src and tests" >"$out" 2>"$err" || code=$?
[ "$code" = 0 ] || fail "the traced run exited with $code: $(cat "$err")"

cat >"$base/check.awk" <<'AWK'
# One line a call; an unfinished one is joined with its rest by thread.
{
  thread = $1
  if ($0 ~ /<unfinished \.\.\.>$/) {
    part = $0
    sub(/ *<unfinished \.\.\.>$/, "", part)
    pending[thread] = part
    next
  }
  text = $0
  if (text ~ /<\.\.\. [a-z0-9]+ resumed>/) {
    rest = text
    sub(/^.*resumed>/, "", rest)
    text = pending[thread] rest
  }
}
# A step's intent is written to the run's ledger...
text ~ /(write|pwrite64|writev)\([0-9]+<[^>]*\/runs\/[^>]*ledger\.jsonl>/ && text ~ /step_intent/ {
  line = text
  while (match(line, /\\"step\\":\\"[^"\\]*\\",?/)) {
    step = substr(line, RSTART + 11, RLENGTH - 11)
    sub(/\\",?$/, "", step)
    written[step] = 1
    line = substr(line, RSTART + RLENGTH)
  }
}
# ... and is durable once fdatasync of that ledger has returned.
text ~ /f(data)?sync\([0-9]+<[^>]*\/runs\/[^>]*ledger\.jsonl>\) += 0/ {
  for (step in written) durable[step] = 1
}
text ~ /(rename|renameat|renameat2|linkat)\(.*(src|tests)[>\/].*(ring|average)[a-z_]*\.[ch]"/ &&
  text ~ / = 0$/ {
  match(text, /[a-z_]+\.[ch]", *[0-9A-Z_|]*\)|[a-z_]+\.[ch]"\)/)
  name = substr(text, RSTART, RLENGTH)
  sub(/".*$/, "", name)
  renames++
  seen = 0
  for (step in durable) if (index(step, "/" name "]")) seen = 1
  if (!seen) { print "no durable intent before: " substr(text, 1, 300); bad = 1 }
}
text ~ /execve(at)?\(.*make"/ && text ~ / = 0$/ {
  programs++
  if (!("tests" in durable)) { print "no durable intent before: " substr(text, 1, 300); bad = 1 }
}
END {
  if (renames != 5) { print "expected 5 renames, saw " renames + 0; bad = 1 }
  if (programs < 1) { print "saw no execve of make"; bad = 1 }
  exit bad
}
AWK
awk -f "$base/check.awk" "$base/trace" ||
  fail "an effect came before its intent was durable (root $root)"
expect 0 "$RGX" verify last
