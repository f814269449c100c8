"""Counts of articles."""

from collections import Counter


def count_items(lines):
    """Counter of articles from lines `article,number`; what is no such line is left out."""
    total = Counter()
    for line in lines:
        article, _, number = line.strip().partition(",")
        if article and number.isdigit():
            total[article] += int(number)
    return total


def merge_counts(*counts):
    """The sum of several counts."""
    total = Counter()
    for count in counts:
        total.update(count)
    return total
