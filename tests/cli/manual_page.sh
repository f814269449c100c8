#!/bin/sh
# The manual page is one that formatters take without a warning, and it names every command.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"

expect 0 "$RGX" man
cp "$out" rgx.1
expect 0 "$RGX" help
sed -n '/^commands:/,/^$/s/^  \([a-z]* \{0,1\}[a-z]*\)  .*/\1/p' "$out" >commands
[ "$(wc -l <commands)" -gt 10 ] || fail "no commands in help"
while read -r command; do
  says rgx.1 ".SS rgx $command"
done <commands

checked=
if command -v mandoc >/dev/null; then
  # There is no date: a program prints the same page whenever it was built.
  got=0
  mandoc -T lint -W warning rgx.1 >found 2>&1 || got=$?
  [ "$got" -le 2 ] || fail "mandoc exited with $got: $(cat found)"
  sed '/missing date/d' found >complaints
  silent complaints
  checked=yes
fi
if command -v man >/dev/null && command -v groff >/dev/null; then
  MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z rgx.1 >/dev/null 2>warnings ||
    fail "man does not take it"
  silent warnings
  checked=yes
fi
[ -n "$checked" ] || skip "neither mandoc nor man is installed"
