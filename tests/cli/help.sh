#!/bin/sh
# Help lists exactly the commands that are built, and an unknown one is suggested, never run.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

expect 0 "$RGX" --help
silent "$err"
sed -n '/^commands:$/,/^$/p' "$out" |
  sed -n 's/^  \([a-z]\{1,\}\( [a-z]\{1,\}\)\{0,1\}\)  .*/\1/p' >listed
printf '%s\n' init plan run approve reject resume rollback runs show verify \
  doctor completion man \
  "policy check" "policy eval" "policy explain" "policy lint" "policy test" "policy trust" \
  "template list" "template show" "template check" >wanted
diff wanted listed || fail "help lists other commands than are built"

while read -r command; do
  # shellcheck disable=SC2086  # two words
  expect 0 "$RGX" help $command
  says "$out" "examples:"
  says "$out" "Usage: rgx $command"
  cp "$out" by_word
  # shellcheck disable=SC2086
  expect 0 "$RGX" $command --help
  cmp by_word "$out" || fail "rgx help $command and rgx $command --help differ"
done <listed

expect 2 "$RGX"
silent "$out"
says "$err" "rgx plan"

expect 2 "$RGX" verifi last
says "$err" 'there is no command `verifi`; did you mean `rgx verify`?'
silent "$out"
for later in cancel report audit key; do
  expect 2 "$RGX" "$later"
  says "$err" "there is no command \`$later\`"
done
expect 2 "$RGX" policy repeal x
says "$err" 'there is no command `policy repeal`'
expect 2 "$RGX" plan intent --repeat
says "$err" "--repeat"

expect 0 "$RGX" help exit-codes
says "$out" "3    denied by policy"

expect 0 "$RGX" --version
grep -qx 'rgx [0-9]*\.[0-9]*\.[0-9]*' "$out" || fail "odd version: $(cat "$out")"

# Colour only where it is asked for, and never as the only carrier.
printf 'schema: rgx.policy/v1\nname: x\nlayer: run\n' >policy.yaml
expect 0 env CLICOLOR_FORCE=1 TERM=xterm "$RGX" policy check policy.yaml
grep -q "$(printf '\033')" "$out" || fail "CLICOLOR_FORCE is not obeyed"
sed "s/$(printf '\033')\[[0-9]*m//g" "$out" >coloured
expect 0 env CLICOLOR_FORCE=1 NO_COLOR=1 TERM=xterm "$RGX" policy check policy.yaml
cmp coloured "$out" || fail "without colour the text is another one"

# A reader that goes away is no error; a full disk is.
"$RGX" --help | head -n 1 >/dev/null
if [ -e /dev/full ]; then
  code=0
  "$RGX" --help >/dev/full 2>"$err" || code=$?
  [ "$code" = 7 ] || fail "a full disk ends with $code"
  says "$err" "No space left on device [output.unwritable]"
fi
