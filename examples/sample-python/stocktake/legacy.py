"""The exports of the old scanners."""

import json

from .count import count_items


def read_export(text):
    """An export is a JSON list of `[article, number]`."""
    return count_items("%s,%d" % (article, number) for article, number in json.loads(text))
