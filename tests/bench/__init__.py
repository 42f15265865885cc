"""Figures that the product promises: `python -m tests.bench`."""
