#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""A report for people."""

from .count import count_items


def report(lines):
    counted = count_items(lines)
    return "\n".join("%-10s %5d" % (name, counted[name]) for name in sorted(counted))
