"""Facts → ScoreSheet → bytes. One walk, many renderings; nothing here opens a file but the fonts that lie beside it."""

from kiosk.sheets.blank import to_blank
from kiosk.sheets.chouette import ChouetteSheet, records
from kiosk.sheets.chouette_files import to_chouette_csv, to_chouette_json, to_chouette_pdf, to_chouette_xlsx
from kiosk.sheets.moves import to_mat
from kiosk.sheets.official import PaperLine
from kiosk.sheets.pdf import to_pdf, to_receipt
from kiosk.sheets.printed import printed
from kiosk.sheets.qr import NotAQrText, QrText, qr_of, qr_text, read_qr
from kiosk.sheets.qr import png as qr_png
from kiosk.sheets.qr import squares as qr_squares
from kiosk.sheets.raster import to_dots
from kiosk.sheets.render import as_object, name_of, to_csv, to_json, when_text
from kiosk.sheets.walk import ScoreSheet, sheets
from kiosk.sheets.xlsx import to_xlsx

__all__ = [
    "ChouetteSheet",
    "NotAQrText",
    "PaperLine",
    "QrText",
    "ScoreSheet",
    "as_object",
    "name_of",
    "printed",
    "qr_of",
    "qr_png",
    "qr_squares",
    "qr_text",
    "read_qr",
    "records",
    "sheets",
    "to_blank",
    "to_chouette_csv",
    "to_chouette_json",
    "to_chouette_pdf",
    "to_chouette_xlsx",
    "to_csv",
    "to_dots",
    "to_json",
    "to_mat",
    "to_pdf",
    "to_receipt",
    "to_xlsx",
    "when_text",
]
