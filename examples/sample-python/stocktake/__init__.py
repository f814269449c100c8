"""Counts what is in the warehouse."""

__version__ = "0.9.0"
