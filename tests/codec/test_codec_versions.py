"""Old facts are lifted to today's shape; facts of a newer program are kept as they came."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kiosk import codec
from kiosk.codec import CodecError, UnknownFact, decode
from kiosk.domain.facts import MatchOpened, SheetSigned, TurnEnded
from kiosk.domain.rulebook import Ladder, Sanction, Sounds
from kiosk.domain.types import Instant, Side


@pytest.fixture
def third_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if version 1 had called the side `who` and version 2 had stored milliseconds."""

    def renamed(plain: dict[str, Any]) -> dict[str, Any]:
        return {"at": plain["at"], "by": plain["who"]}

    def finer(plain: dict[str, Any]) -> dict[str, Any]:
        return {**plain, "at": plain["at"] * 1_000_000}

    monkeypatch.setitem(codec.VERSIONS, "turn_ended", 3)
    monkeypatch.setitem(codec.UPCASTERS, ("turn_ended", 1), renamed)
    monkeypatch.setitem(codec.UPCASTERS, ("turn_ended", 2), finer)


@pytest.mark.usefixtures("third_version")
@pytest.mark.parametrize("text", ['{"at":7,"v":1,"who":"left"}', '{"at":7,"by":"left","v":2}', '{"at":7000000,"by":"left","v":3}'])
def test_an_old_fact_is_lifted_step_by_step(text: str) -> None:
    assert decode("turn_ended", text) == TurnEnded(Instant(7_000_000), Side.LEFT)


@pytest.mark.usefixtures("third_version")
def test_what_is_written_has_the_newest_version() -> None:
    assert codec.encode(TurnEnded(Instant(7), Side.LEFT)) == ("turn_ended", '{"at":7,"by":"left","v":3}')


@pytest.mark.usefixtures("third_version")
def test_an_old_fact_without_its_old_shape_is_a_codec_error() -> None:
    with pytest.raises(CodecError):
        decode("turn_ended", '{"at":7,"by":"left","v":1}')


@pytest.mark.parametrize(
    ("name", "text"), [("dice_blessed", '{"at":1,"v":1}'), ("turn_ended", '{"at":1,"by":"left","hand":"right","v":2}')]
)
def test_a_newer_fact_is_kept_as_it_came(name: str, text: str) -> None:
    assert decode(name, text) == UnknownFact(name, text)


def test_a_signature_of_the_time_before_drawings_has_none() -> None:
    old = decode("sheet_signed", '{"at":7,"protest":true,"side":"left","v":1}')
    assert old == SheetSigned(Instant(7), Side.LEFT, protest=True, strokes=())


def test_a_match_of_the_time_before_catalogues_has_none() -> None:
    texts = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))["match_opened"]
    old = decode("match_opened", next(text for text in texts if text.endswith('"v":1}')))
    assert isinstance(old, MatchOpened)
    assert (old.setup.infractions, old.setup.ladder) == ((), Ladder())
    # The ladder of such a match is what the text of 000 §11 says, whatever becomes of the defaults.
    assert old.setup.ladder == Ladder(Sanction.REMARK, Sanction.WARNING, Sanction.GAME_LOSS, Sanction.WARNING, note_later=True)


def test_a_match_of_the_time_before_sounds_is_silent() -> None:
    texts = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))["match_opened"]
    for old in (decode("match_opened", text) for text in texts if not text.endswith(('"v":4}', '"v":5}'))):
        assert isinstance(old, MatchOpened)
        assert old.setup.sounds == Sounds(0, flag=False)


def test_a_match_of_the_time_before_its_play_rules_were_kept_has_none() -> None:
    texts = json.loads((Path(__file__).parent / "golden.json").read_text(encoding="utf-8"))["match_opened"]
    for old in (decode("match_opened", text) for text in texts if not text.endswith('"v":5}')):
        assert isinstance(old, MatchOpened)
        assert old.setup.play is None


@pytest.mark.parametrize("setup", ["5", "null", "[]", '"ibgf"', "{}"])
def test_an_old_match_without_its_setup_is_a_codec_error(setup: str) -> None:
    with pytest.raises(CodecError):
        decode("match_opened", f'{{"at":7,"match":"m","setup":{setup},"v":1}}')
    with pytest.raises(CodecError):
        decode("match_opened", '{"at":7,"match":"m","v":1}')


def test_every_version_can_be_reached_from_the_first() -> None:
    for name, newest in codec.VERSIONS.items():
        assert all((name, old) in codec.UPCASTERS for old in range(1, newest))
