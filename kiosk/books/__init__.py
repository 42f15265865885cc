"""Reading rulebooks: TOML files → `Rulebook` values, and what is wrong with a file, by line. The table and the server both read here."""

from kiosk.books.keys import documented
from kiosk.books.library import Library, check_file
from kiosk.books.source import Problem, RulebookFault

__all__ = ["Library", "Problem", "RulebookFault", "check_file", "documented"]
