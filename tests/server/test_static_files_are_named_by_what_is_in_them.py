"""A page's own files have names that change with their contents, and are kept by browsers for a year."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from kiosk.server.assets import FOLDER, TYPES, Assets, assets, router


@pytest.fixture
def client() -> TestClient:
    app = FastAPI()
    app.include_router(router)
    return TestClient(app)


def test_another_content_is_another_name(tmp_path: Path) -> None:
    (tmp_path / "look.css").write_text("a {}", encoding="utf-8")
    one = Assets(tmp_path).url("look.css")
    (tmp_path / "look.css").write_text("b {}", encoding="utf-8")
    two = Assets(tmp_path).url("look.css")
    assert re.fullmatch(r"/static/look\.[0-9a-f]{12}\.css", one)
    assert one != two


def test_a_neighbours_change_changes_the_names_of_those_that_load_it(tmp_path: Path) -> None:
    (tmp_path / "board.js").write_text('import { text } from "./clock.js";', encoding="utf-8")
    (tmp_path / "clock.js").write_text("export const text = 1;", encoding="utf-8")
    one = Assets(tmp_path)
    (tmp_path / "clock.js").write_text("export const text = 2;", encoding="utf-8")
    two = Assets(tmp_path)
    assert one.url("board.js") != two.url("board.js")
    made = two.get(two.url("board.js").removeprefix("/static/"))
    assert made is not None
    assert made.body.decode() == f'import {{ text }} from "{two.url("clock.js")}";'


def test_scripts_that_need_each_other_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import "./b.js";', encoding="utf-8")
    (tmp_path / "b.js").write_text('import "./a.js";', encoding="utf-8")
    with pytest.raises(ValueError, match="needs itself"):
        Assets(tmp_path)


def test_what_is_no_file_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('show("none.js")', encoding="utf-8")
    made = Assets(tmp_path)
    asset = made.get(made.url("a.js").removeprefix("/static/"))
    assert asset is not None
    assert asset.body == b'show("none.js")'


def test_every_file_is_served_with_its_kind_and_kept_for_a_year(client: TestClient) -> None:
    for path in FOLDER.rglob("*"):
        if path.suffix in TYPES:
            answer = client.get(assets().url(path.relative_to(FOLDER).as_posix()), headers={"accept-encoding": "identity"})
            assert answer.status_code == 200
            assert answer.headers["content-type"] == TYPES[path.suffix]
            assert "immutable" in answer.headers["cache-control"]


def test_who_can_unpack_gets_it_packed(client: TestClient) -> None:
    url = assets().url("look.css")
    packed = client.get(url, headers={"accept-encoding": "gzip"})
    plain = client.get(url, headers={"accept-encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    asset = assets().get(url.removeprefix("/static/"))
    assert asset is not None
    assert gzip.decompress(asset.packed) == asset.body


@pytest.mark.parametrize("name", ["look.css", "fonts/OFL.txt", "look.000000000000.css", "../assets.py", "..%2fassets.py"])
def test_nothing_else_is_served(client: TestClient, name: str) -> None:
    assert client.get(f"/static/{name}").status_code == 404


def test_no_file_names_another_host() -> None:
    for path in FOLDER.rglob("*"):
        if path.suffix in {".css", ".js"}:
            assert re.findall(r"(?:https?:|url\(.?)//", path.read_text(encoding="utf-8")) == []
