"""Message catalogues: `tableside.pot` lists every text, `<language>/LC_MESSAGES/tableside.mo` holds a translation. English needs none."""
