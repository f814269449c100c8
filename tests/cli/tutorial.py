#!/usr/bin/env python3
"""Follows a tutorial: runs the commands of its Markdown and compares what they print.

usage: tutorial.py FILE

A block ```console holds commands, `$ COMMAND`, each followed by what it prints (stdout and stderr).
`...` alone stands for any lines, at the end of a line for the rest of that line. A block after a
comment <!-- file: PATH --> is written to PATH. All commands run in one shell, so that `cd`,
variables and `$?` work. Digests, ids, times, $HOME and lines of default.yaml are masked; everything
else must be as it stands. Empty lines at the end do not count. Lines `ok ` of a run may be in any
order.
"""

import os
import re
import subprocess
import sys

MASKS = [
    (r"sha256:[0-9a-f]{12,64}", "DIGEST"),
    (r"\b[0-9a-f]{4}…[0-9a-f]{4}\b", "SHORT"),
    (r"\br-[0-9a-f]{12}\b", "RUN"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "TIME"),
    (r"\bkey [0-9a-f]{16}", "key KEY"),
    (r"\((\d+m )?\d+(\.\d+)?m?s\)", "(TIME)"),
    (r"\(default\.yaml:\d+:\d+\)", "(default.yaml)"),
]


def masked(line):
    for pattern, name in MASKS:
        line = re.sub(pattern, name, line)
    return line.rstrip()


def blocks(text):
    """(line, kind, path or None, lines) of every block that is to be followed."""
    path = None
    kind = None
    for number, line in enumerate(text.split("\n"), 1):
        if kind is None:
            comment = re.fullmatch(r"<!-- file: (\S+) -->", line)
            if comment:
                path = comment[1]
            elif line.startswith("```"):
                kind, start, lines = line[3:], number, []
        elif line == "```":
            if path or kind == "console":
                yield start, kind, path, lines
            path = kind = None
        else:
            lines.append(line)


def commands(start, lines):
    """(line, command, what it prints) of a console block."""
    found = []
    for number, line in enumerate(lines, start + 1):
        if line.startswith("$ "):
            found.append((number, line[2:], []))
        elif not found:
            sys.exit("line %d: output before a command" % number)
        elif (line + " ").startswith("> ") and not found[-1][2]:
            found[-1] = (found[-1][0], found[-1][1] + "\n" + line[2:], [])
        else:
            found[-1][2].append(line)
    for _, _, expected in found:
        while expected and not expected[-1]:
            expected.pop()
    return found


def fits(expected, got):
    """Whether `got` is what `expected` says, `...` considered."""
    if not expected:
        return not any(got)
    if expected[0] == "...":
        return any(fits(expected[1:], got[i:]) for i in range(len(got) + 1))
    if not got:
        return False
    line = expected[0]
    same = got[0].startswith(line[:-3].rstrip()) if line.endswith("...") else got[0] == line
    return same and fits(expected[1:], got[1:])


def in_order(lines):
    """The lines with every sequence of `ok ` lines sorted."""
    result, run = [], []
    for line in [*lines, None]:
        if line is not None and line.startswith("ok "):
            run.append(line)
            continue
        result += sorted(run) + ([line] if line is not None else [])
        run = []
    return result


class Shell:
    """One sh, which says after each command that it has ended."""

    END = "-- end of command --"

    def __init__(self):
        self.process = subprocess.Popen(
            ["sh"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, command):
        """What the command prints. `$?` in it is the exit code of the command before."""
        script = "(exit ${last:-0})\n{ %s\n} </dev/null\nlast=$?\necho '%s'\n" % (command, self.END)
        self.process.stdin.write(script)
        self.process.stdin.flush()
        lines = []
        for line in self.process.stdout:
            if line == self.END + "\n":
                return lines
            lines.append(line.rstrip("\n").replace(os.environ["HOME"], "/home/ana"))
        sys.exit("the shell ended at `%s`" % command)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    shell = Shell()
    followed = 0
    for start, kind, path, lines in blocks(text):
        if path:
            path = os.path.expanduser(path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")
            continue
        for number, command, expected in commands(start, lines):
            got = shell.run(command)
            if not fits(in_order(map(masked, expected)), in_order(map(masked, got))):
                print("%s:%d: $ %s" % (sys.argv[1], number, command))
                print("--- expected\n%s\n--- got\n%s" % ("\n".join(expected), "\n".join(got)))
                sys.exit(1)
            followed += 1
    if followed == 0:
        sys.exit("there is nothing to follow in " + sys.argv[1])
    print("%d commands printed what %s says" % (followed, sys.argv[1]))


if __name__ == "__main__":
    main()
