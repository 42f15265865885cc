"""`python -m tests.locale`: writes `kiosk/locale/tableside.pot` anew, brings every language's texts in line with it and compiles them.

A text that is new stands in each language's `.po` with an empty translation until somebody has written one; one that is gone is dropped.
"""

from __future__ import annotations

from tests.locale.catalogue import LANGUAGES, POT, ROOT, brought_in_line, compiled, languages, template, texts

if __name__ == "__main__":
    pot = template()
    POT.write_text(pot, encoding="utf-8")
    print(f"{POT.relative_to(ROOT)}: {len(texts(pot))} texts")
    for language in languages():
        po = LANGUAGES / language / "LC_MESSAGES" / "tableside.po"
        po.parent.mkdir(parents=True, exist_ok=True)
        text, missing = brought_in_line(language, po.read_text(encoding="utf-8") if po.exists() else "", pot)
        po.write_text(text, encoding="utf-8")
        po.with_suffix(".mo").write_bytes(compiled(text, language))
        library = po.with_name("messages.po")
        library.with_suffix(".mo").write_bytes(compiled(library.read_text(encoding="utf-8"), language))
        print(f"{po.relative_to(ROOT)}: {missing} are not translated yet")
