#!/bin/sh
# docs/tutorial.md, followed step by step: every command is run, and must print what stands there.
# shellcheck disable=SC2016  # backticks and dollars of Markdown
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs python3 ctest cmake make jq openssl

mkdir bin
ln -s "$RGX" bin/rgx
LC_ALL=C.UTF-8
PATH=$base/bin:$PATH
export PATH LC_ALL
follow=$RGX_SOURCE/tests/cli/tutorial.py

# Output that is not what stands there is noticed.
printf '```console\n$ echo one\ntwo\n```\n' >wrong.md
expect 1 /usr/bin/python3 "$follow" wrong.md
says "$out" "wrong.md:2: \$ echo one"
printf '```console\n$ echo one\none\n$ false\n$ echo $?\n1\n```\n' >right.md
expect 0 /usr/bin/python3 "$follow" right.md

cd "$HOME"
/usr/bin/python3 "$follow" "$RGX_SOURCE/docs/tutorial.md"
