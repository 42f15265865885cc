"""The catalogue of every text that people at the table read, and its translations: data, and nothing else.

`python -m tests.locale` writes `tableside.pot`; a language is `CODE/LC_MESSAGES/tableside.po` and the `.mo` made from it.
"""
