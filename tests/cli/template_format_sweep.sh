#!/bin/sh
# format-sweep on the Python sample, with a formatter that takes files as its arguments: it changes
# files of its kind and nothing else; one that writes elsewhere fails; without one there is a hint.
# shellcheck disable=SC2016  # backticks in messages
set -eu
# shellcheck source=tests/cli/lib.sh
. "$RGX_SOURCE/tests/cli/lib.sh"
needs python3

sample repo sample-python
cd repo
expect 0 "$RGX" init --yes
commit_all .
expect 2 "$RGX" plan "format the code"
says "$err" "[fact.no_formatter]"

cat >tools_format.py <<'END_PYTHON'
"""The house's formatter: single spaces, no blanks at the end of a line, one newline at the end."""

import sys

for path in sys.argv[1:]:
    with open(path, encoding="utf-8", newline="") as file:
        old = file.read()
    new = "\n".join(line.rstrip() for line in old.split("\n")).rstrip("\n") + "\n"
    if old.strip() and new != old:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(new)
END_PYTHON
cat >>.rgx/config.yaml <<'END_CONFIG'
  format_argv: [python3, tools_format.py]
  format_files: ["**/*.py"]
END_CONFIG
cat >>.rgx/policy.yaml <<'END_POLICY'
  - id: run-formatter
    effect: allow
    tool: [exec]
    argv: [python3, tools_format.py, "**"]
    read: ["**"]
    write: ["**/*.py"]
    why: "the project's own formatter"
    remedy: "run the formatter exactly as .rgx/config.yaml has it"
END_POLICY
printf '"""Weights."""   \n\nWEIGHT = {"bolt": 3}\t\n\n\n' >"stocktake/重量 表.py"
commit_all .

plan_and_run "format stocktake"
[ "$(git -c core.quotePath=false diff --name-only)" = "stocktake/重量 表.py" ] ||
  fail "changed: $(git status --porcelain)"
printf '"""Weights."""\n\nWEIGHT = {"bolt": 3}\n' | cmp - "stocktake/重量 表.py" ||
  fail "the file is: $(cat "stocktake/重量 表.py")"
verified
commit_all .

# Everything is formatted: a run that changes nothing is a run that succeeded.
plan_and_run "格式化代码"
[ -z "$(git status --porcelain)" ] || fail "changed: $(git status --porcelain)"

# A formatter that writes elsewhere is stopped by the sandbox, or its run fails afterwards.
printf 'open("README.md", "a").write("made by the formatter\\n")\n' >>tools_format.py
commit_all .
expect 1 "$RGX" run "format stocktake"
says "$err" "README.md"
verified
expect 2 "$RGX" plan "format docs"
