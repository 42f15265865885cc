"""The rules of the table as frozen values and pure functions."""
