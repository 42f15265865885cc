"""`python -m tests.locale`: writes `kiosk/locale/tableside.pot` anew."""

from __future__ import annotations

from tests.locale.catalogue import POT, ROOT, template, texts

if __name__ == "__main__":
    pot = template()
    POT.write_text(pot, encoding="utf-8")
    print(f"{POT.relative_to(ROOT)}: {len(texts(pot))} texts")
