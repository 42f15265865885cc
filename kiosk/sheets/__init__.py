"""Facts → ScoreSheet → bytes. One walk, many renderings; nothing here opens a file."""

from kiosk.sheets.official import PaperLine
from kiosk.sheets.render import as_object, name_of, to_csv, to_json, when_text
from kiosk.sheets.walk import ScoreSheet, sheets

__all__ = ["PaperLine", "ScoreSheet", "as_object", "name_of", "sheets", "to_csv", "to_json", "when_text"]
