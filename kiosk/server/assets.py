"""The pages' own files: style, scripts, fonts, each under a name that holds the hash of what is in it.

A name whose contents cannot change is kept by browsers for a year; a new version of the product has new names. Scripts and styles name
their neighbours as `./clock.js` or `fonts/text.woff`; those names are replaced as well, so that one version never loads half of another.
Everything is read once at start: the files are few and small.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff": "font/woff",
}
"""The kinds of files that are served; others (the fonts' licence) only lie beside them."""
_NEIGHBOUR = re.compile(r'(?P<before>["\'(])(?:\./)?(?P<name>[\w/-]+\.(?:js|css|svg|woff))(?P<after>["\')])')
_KEPT = "public, max-age=31536000, immutable"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file as it is sent."""

    name: str
    """With the hash in it: `look.0123456789ab.css`."""
    media_type: str
    body: bytes
    packed: bytes
    """The same, gzipped; empty where that gains nothing."""


class Assets:
    """All files of a folder, by their plain and by their hashed names."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_plain: dict[str, Asset] = {}
        for path in sorted(folder.rglob("*")):
            if path.suffix in TYPES:
                self._load(path.relative_to(folder).as_posix(), ())
        self._by_hashed = {asset.name: asset for asset in self._by_plain.values()}

    def url(self, name: str) -> str:
        """Where a file is found.

        Args:
            name: Its plain name, as `look.css`.

        Raises:
            KeyError: There is no such file.
        """
        return f"/static/{self._by_plain[name].name}"

    def get(self, hashed: str) -> Asset | None:
        """A file by its hashed name; None where this version has no such file."""
        return self._by_hashed.get(hashed)

    def _load(self, name: str, within: tuple[str, ...]) -> Asset:
        if name in within:
            raise ValueError(f"{name} needs itself through {within[-1]}")
        if name not in self._by_plain:
            self._by_plain[name] = self._made(name, within)
        return self._by_plain[name]

    def _made(self, name: str, within: tuple[str, ...]) -> Asset:
        path = self._folder / name
        body = path.read_bytes()
        text = path.suffix != ".woff"
        if path.suffix in {".js", ".css"}:
            body = _NEIGHBOUR.sub(lambda hit: self._renamed(hit, (*within, name)), body.decode()).encode()
        digest = sha256(body).hexdigest()[:12]
        hashed = f"{name.removesuffix(path.suffix)}.{digest}{path.suffix}"
        return Asset(hashed, TYPES[path.suffix], body, gzip.compress(body, mtime=0) if text else b"")

    def _renamed(self, hit: re.Match[str], within: tuple[str, ...]) -> str:
        if not (self._folder / hit["name"]).is_file():
            return hit[0]
        return f"{hit['before']}/static/{self._load(hit['name'], within).name}{hit['after']}"


@cache
def assets() -> Assets:
    """This product's files."""
    return Assets(FOLDER)


router = APIRouter(include_in_schema=False)


@router.get("/static/{name:path}")
def static_file(request: Request, name: str) -> Response:
    """A file by its hashed name."""
    asset = assets().get(name)
    if asset is None:
        raise HTTPException(404)
    packed = asset.packed and "gzip" in request.headers.get("accept-encoding", "")
    headers = {"Cache-Control": _KEPT, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff"}
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(asset.packed if packed else asset.body, media_type=asset.media_type, headers=headers)
