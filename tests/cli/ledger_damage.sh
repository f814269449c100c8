#!/bin/sh
# Whatever happens to a ledger shows: a changed byte, a dropped, swapped or repeated line, a cut.
# (Every byte and every bit is changed in process by the unit tests of audit.)
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

sample repo
cd repo
tests_may_change
expect 0 "$RGX" init --yes
expect 0 "$RGX" run "replace failures with misses under tests"
folder=$(run_folder)
ledger=$folder/ledger.jsonl
key=$HOME/.config/rgx/root.key
cd "$base"
cp "$ledger" whole.jsonl
lines=$(wc -l <whole.jsonl)
size=$(wc -c <whole.jsonl)

# verdict FILE: the word, after checking that it fits the exit code.
verdict() {
  code=0
  "$RGX" verify "$1" --key-file "$key" >"$out" 2>"$err" || code=$?
  word=$(head -n 1 "$out" | cut -d' ' -f1)
  case $code:$word in
    0:VERIFIED | 4:TAMPERED | 9:INCONCLUSIVE | 10:TORN) ;;
    *) fail "exit code $code with \`$word\`: $(cat "$err")" ;;
  esac
  echo "$word"
}

[ "$(verdict ./whole.jsonl)" = VERIFIED ] || fail "the whole ledger: $(cat "$out")"

line=1
while [ "$line" -le "$lines" ]; do
  sed "${line}d" whole.jsonl >dropped.jsonl
  word=$(verdict ./dropped.jsonl)
  if [ "$line" = "$lines" ]; then
    [ "$word" = INCONCLUSIVE ] || fail "without its seal: $word"
  else
    [ "$word" = TAMPERED ] || fail "line $line dropped: $word"
  fi
  sed "${line}p" whole.jsonl >repeated.jsonl
  [ "$(verdict ./repeated.jsonl)" = TAMPERED ] || fail "line $line repeated: $(cat "$out")"
  if [ "$line" -lt "$lines" ]; then
    sed "${line}{h;d};$((line + 1)){G}" whole.jsonl >swapped.jsonl
    [ "$(verdict ./swapped.jsonl)" = TAMPERED ] || fail "line $line swapped: $(cat "$out")"
  fi
  line=$((line + 1))
done

# Every 7th byte; RGX_STRIDE=1 takes all of them.
position=0
stride=${RGX_STRIDE:-7}
while [ "$position" -lt "$size" ]; do
  cp whole.jsonl flipped.jsonl
  old=$(dd if=whole.jsonl bs=1 skip="$position" count=1 2>/dev/null | od -An -tu1 | tr -d ' ')
  # shellcheck disable=SC2059  # an octal escape
  printf "\\$(printf '%03o' $((old ^ 1)))" |
    dd of=flipped.jsonl bs=1 seek="$position" conv=notrunc 2>/dev/null
  word=$(verdict ./flipped.jsonl)
  if [ "$word" = TAMPERED ]; then
    :
  elif [ "$word" = TORN ] && [ "$position" = $((size - 1)) ]; then
    :  # the last line feed became another byte: a write that did not finish
  else
    fail "byte $position changed: $word"
  fi
  position=$((position + stride))
done

# Cuts: never VERIFIED.
for keep in 0 1 100 $((size / 2)) $((size - 2)) $((size - 1)); do
  head -c "$keep" whole.jsonl >cut.jsonl
  word=$(verdict ./cut.jsonl)
  case $word in
    TORN | INCONCLUSIVE) ;;
    *) fail "cut to $keep bytes: $word" ;;
  esac
done
line=0
while [ "$line" -lt "$lines" ]; do
  head -n "$line" whole.jsonl >cut.jsonl
  [ "$(verdict ./cut.jsonl)" = INCONCLUSIVE ] || fail "cut to $line lines: $(cat "$out")"
  line=$((line + 1))
done

# ---- with its place in the index, a cut and a removal show --------------------------------------
cd repo
run=$(basename "$folder")
expect 0 "$RGX" verify "$run"
head -n -1 "$base/whole.jsonl" >"$ledger"
expect 4 "$RGX" verify last
says "$out" "TAMPERED"
says "$out" "another tree root"
rm "$ledger"
expect 4 "$RGX" verify last
says "$out" "its ledger is gone"
cp "$base/whole.jsonl" "$ledger"
chmod 600 "$ledger"
expect 0 "$RGX" verify last
index=$(echo "$HOME"/.local/state/rgx/repositories/*/index.jsonl)
cp "$index" "$base/index.jsonl"
sed -i 2d "$index"
expect 4 "$RGX" verify "$run"
says "$out" "TAMPERED"
says "$out" "the repository's index ledger is damaged"
expect 4 "$RGX" verify last
says "$err" "[run.index_damaged]"
expect 4 "$RGX" runs
says "$err" "the index of this repository is damaged"
rm "$index"
expect 4 "$RGX" verify "$run"
says "$out" "index ledger is gone"
cp "$base/index.jsonl" "$index"

# ---- keys ---------------------------------------------------------------------------------------
mkdir -p "$base/other"
expect 0 env RGX_CONFIG_HOME="$base/other" "$RGX" init --yes
expect 9 "$RGX" verify "$ledger" --key-file "$base/other/rgx/root.key"
says "$out" "INCONCLUSIVE"
expect 9 env RGX_CONFIG_HOME="$base/none" "$RGX" verify "$ledger"
says "$out" "no key"
says "$err" "--key-file"
expect 7 "$RGX" verify "$ledger" --key-file "$base/none/root.key"
says "$err" "none/root.key"
chmod 644 "$base/other/rgx/root.key"
expect 7 "$RGX" verify "$ledger" --key-file "$base/other/rgx/root.key"
says "$err" "chmod 600"
expect 0 "$RGX" verify last --json
[ "$(jq -r '.schema + " " + .verdict' "$out")" = "rgx.verdict/v1 VERIFIED" ] || fail "$(cat "$out")"
