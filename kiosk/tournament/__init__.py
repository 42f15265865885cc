"""Pairings, brackets, standings and tie-breaks: values in, values out (000 §10)."""
