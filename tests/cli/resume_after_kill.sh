#!/bin/sh
# kill -9 at every durable point of a run, then `rgx resume`: for each point it is known what must
# happen, and the tree of a run that went on is that of an undisturbed one.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
# shellcheck source=tests/cli/kill_lib.sh
. "$RGX_SOURCE/tests/cli/kill_lib.sh"

# While the program is certainly under way: it says so through one pipe and waits at another, which
# nobody ever opens. Needs no strace.
killable_sample 'echo under way >build/started; read line <build/never'
mkdir build
mkfifo build/started build/never
"$RGX" run --plan "$base/plan.json" >"$out" 2>"$err" </dev/null &
child=$!
timeout 120 head -n 1 build/started >"$base/said"
says "$base/said" "under way"
kill -9 "$child"
wait "$child" 2>/dev/null || true
expect 6 "$RGX" resume last
says "$out" "was cut short"
expect 6 "$RGX" resume last
says "$out" "was cut short"
[ "$(git diff --name-only | wc -l)" = 5 ] || fail "not the five edits: $(git diff --stat)"
cd "$base"
rm -rf repo

needs_injection
killable_sample 'echo done >build/done'
undisturbed fdatasync,fsync
jq -r '.record | .type + " " + (.body.step // "")' "$undisturbed_folder/ledger.jsonl" \
  >"$base/records"

# For each call: its name and number, how many records there are when it is entered, how many steps
# must have a second attempt after resume, and what resume must do.
cat >"$base/points.awk" <<'AWK'
FNR == NR { record[FNR] = $0; next }
{
  call = $0
  sub(/\(.*/, "", call)
}
call !~ /^f(data)?sync$/ { next }
{
  number[call]++
  file = $0
  sub(/^[a-z]*\([0-9]+</, "", file)
  sub(/>\).*/, "", file)
  ledger = file ~ /\/runs\/.*\/ledger\.jsonl$/
  if (ledger) {
    written++
    if (record[written] ~ /^step_intent acceptance/) judged++
  }
  last = record[written]
  twice = 0
  if (written == 0) what = "not_begun"
  else if (last ~ /^run_sealed/) what = "ended"
  else if (last == "step_intent tests") what = "indeterminate"
  else {
    what = "goes_on"
    # The file is in its place when its folder is synced. Checks of the judge change nothing, and
    # build on each other: all that were begun are made again.
    twice = judged ? judged : last ~ /^step_intent/ && (ledger || file ~ /\.tmp$/)
    if (judged && !ledger) what = "goes_on judged"
  }
  print call, number[call], written + 0, twice, what
}
AWK
awk -f "$base/points.awk" "$base/records" "$base/trace" >"$base/points"

while read -r call number records twice what _; do
  where="kill at $call $number"
  killed "$call" "$number"
  [ "$code" = 137 ] || fail "$where: rgx ended by itself with $code: $(cat "$err")"
  folder=$(run_folder)
  written=0
  [ ! -e "$folder/ledger.jsonl" ] || written=$(wc -l <"$folder/ledger.jsonl")
  [ "$written" = "$records" ] || fail "$where: $written records, not $records"
  got=0
  "$RGX" resume last >"$out" 2>"$err" </dev/null || got=$?
  where="$where, resume exited with $got: $(cat "$out" "$err")"
  case $what/$got in
    goes_on/0)
      git diff | cmp -s - "$base/expected" || fail "$where: another tree: $(git diff --stat)"
      verified
      ;;
    indeterminate/6) says "$out" "was cut short" ;;
    ended/2)
      says "$err" "resume.finished"
      git diff | cmp -s - "$base/expected" || fail "$where: another tree: $(git diff --stat)"
      ;;
    not_begun/2)
      grep -q -e '\[run\.unknown\]' -e '\[storage\.missing\]' -e '\[resume\.nothing\]' "$err" ||
        fail "$where: it had not begun"
      git diff --quiet || fail "$where: it had not begun, and changed $(git diff --stat)"
      ;;
    *) fail "$where: expected: $what" ;;
  esac
  if [ "$what" = goes_on ]; then
    second=$(jq 'select(.record.type == "step_intent" and .record.body.attempt > 1)' \
      "$folder/ledger.jsonl" | grep -c '"step_intent"' || true)
    [ "$second" = "$twice" ] || fail "$where: $second second attempts, not $twice"
  fi
  git checkout -q .
done <"$base/points"

# Every kill after the first record went on, except for one: between the program's intent and its
# outcome nobody knows. The table above was made from a trace; is it what that trace must give?
cut -d' ' -f5- "$base/points" | sort | uniq -c
went_on=$(grep -c ' goes_on$' "$base/points")
records=$(wc -l <"$base/records")
edits=$(grep -c '^step_intent edit' "$base/records")
[ "$edits" = 5 ] || fail "$edits edits, not 5"
# Each record but the program's intent and the seal; for each edit its file and the folder.
[ "$went_on" = $((records - 2 + 2 * edits)) ] || fail "$went_on went on; of $records records"
[ "$(grep -c ' indeterminate$' "$base/points")" = 1 ] || fail "not one indeterminate point"
