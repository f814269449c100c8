#!/bin/sh
# kill -9 at 200 moments of a run and more: at every system call that changes something outside of
# it, since between two of them nothing can be different, and at calls in between, drawn at random
# by RGX_KILL_SEED (default 1). Afterwards the ledger is VERIFIED, INCONCLUSIVE or TORN, never
# TAMPERED; each file of the workspace is its old or its new content as a whole; and the next run of
# the same repository works.
# shellcheck disable=SC2016,SC2086  # backticks in messages; names of ours have no blanks
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
# shellcheck source=tests/cli/kill_lib.sh
. "$RGX_SOURCE/tests/cli/kill_lib.sh"

needs_injection
killable_sample 'for i in 1 2 3; do echo $$i >build/$$i; done'

# The old and the new content of every file of the plan, from one run that nobody killed.
files=$(jq -r '.plan.steps[].with.path | select(. != null)' "$base/plan.json")
sha256sum $files >"$base/old"
expect 0 "$RGX" run --plan "$base/plan.json"
sha256sum $files >"$base/new"
sort "$base/old" "$base/new" | uniq -d >"$base/same"
silent "$base/same"
sort "$base/old" "$base/new" >"$base/allowed"
git checkout -q .

writes=write,pwrite64,writev,fdatasync,fsync,ftruncate
names=rename,renameat,renameat2,link,linkat,symlinkat,unlink,unlinkat,rmdir
folders=mkdir,mkdirat,chmod,fchmod,fchmodat
undisturbed "$writes,$names,$folders,clone,clone3,vfork"
# CALL NUMBER of each that has an effect; what goes to the standard streams has none here.
awk '
  /^[a-z0-9_]+\(/ { call = $0; sub(/\(.*/, "", call); number[call]++ }
  /^(write|writev)\([12]</ || / = -1 / { next }
  /^[a-z0-9_]+\(/ { print call, number[call] }
' "$base/trace" >"$base/points"

# Some more, among the calls that only look. The last ones are left out, since how a process ends is
# not the same each time.
seed=${RGX_KILL_SEED:-1}
undisturbed openat,openat2,newfstatat,close
awk -v seed="$seed" '
  /^[a-z0-9_]+\(/ {
    name = $0
    sub(/\(.*/, "", name)
    call[++calls] = name
    of[calls] = ++number[name]
  }
  END {
    srand(seed)
    for (drawn = 0; drawn < 50; drawn++) {
      at = 1 + int(rand() * calls * 0.8)
      print call[at], of[at]
    }
  }
' "$base/trace" >>"$base/points"

cut_short=0
: >"$base/verdicts"
while read -r call number; do
  where="kill at $call $number"
  killed "$call" "$number"
  case $code in
    137) cut_short=$((cut_short + 1)) ;;
    *) fail "$where: rgx ended by itself with $code: $(cat "$err")" ;;
  esac
  sha256sum $files >"$base/sums"
  ! grep -vxFf "$base/allowed" "$base/sums" || fail "$where: neither old nor new content"
  for ledger in "$HOME"/.local/state/rgx/repositories/*/runs/*/ledger.jsonl; do
    [ -e "$ledger" ] || continue
    run=${ledger%/*}
    run=${run##*/}
    ! grep -qF "$run " "$base/verdicts" || continue
    code=0
    "$RGX" verify "$run" >"$out" 2>"$err" || code=$?
    verdict=$(head -n 1 "$out" | cut -d' ' -f1)
    case $verdict in
      VERIFIED | INCONCLUSIVE | TORN) echo "$run $verdict" >>"$base/verdicts" ;;
      *) fail "$where: run $run is \`$verdict\` ($code): $(cat "$out" "$err")" ;;
    esac
  done
  git checkout -q .
done <"$base/points"

# The workspace has no leftovers once a run has cleaned up, and everything still works.
expect 0 "$RGX" run --plan "$base/plan.json"
expect 0 "$RGX" verify last
git ls-files -o --exclude-standard >"$base/leftovers"
silent "$base/leftovers"
expect 0 "$RGX" runs
echo "$cut_short runs were cut short; verdicts:"
cut -d' ' -f2 "$base/verdicts" | sort | uniq -c
[ "$cut_short" -ge 200 ] || fail "$cut_short runs were cut short (seed $seed), not 200"
