"""The organizer's matches survive a restart, follow their changes, and none is offered once it was opened."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from test_orders_are_obeyed import ASSIGNED, LIBRARY, NOW, Box

from kiosk.app.offers import FILE, MOST, MOST_OPENED, Offers, OffersUnavailable
from kiosk.domain.errors import CommandRefused
from kiosk.domain.types import NS_PER_S, Instant
from kiosk.session import commands as c

LATER = Instant(7 * NS_PER_S)


def offers(folder: Path, *, boot: str = "boot", wall: int = 0, trusted: bool = True, now: int = NOW) -> Offers:
    return Offers(folder, LIBRARY, boot, lambda: (wall, trusted), now)


def shown(kept: Offers) -> list[tuple[str, int, int | None]]:
    return [(one.match, one.version, one.setup.round_start) for one in kept.all("12")]


def test_a_restart_of_the_process_forgets_nothing(tmp_path: Path) -> None:
    first = offers(tmp_path)
    first.assign(ASSIGNED, NOW, "12")
    first.assign(replace(ASSIGNED, match="m-8", starts_in_ms=None), NOW, "12")
    assert shown(offers(tmp_path)) == shown(first) == [("m-7", 1, NOW + 60 * NS_PER_S), ("m-8", 1, None)]


@pytest.mark.parametrize(
    ("wall_s", "before", "after", "start_s"),
    [(1020, True, True, 7 + 40), (1020, False, True, None), (1020, True, False, None), (9000, True, True, 0)],
)
def test_after_a_reboot_the_start_is_found_by_the_date_where_both_were_set(
    tmp_path: Path, wall_s: int, *, before: bool, after: bool, start_s: int | None
) -> None:
    offers(tmp_path, wall=1000 * NS_PER_S, trusted=before).assign(ASSIGNED, NOW, "12")
    again = offers(tmp_path, boot="next", wall=wall_s * NS_PER_S, trusted=after, now=LATER)
    assert shown(again) == [("m-7", 1, None if start_s is None else start_s * NS_PER_S)]


def test_the_next_one_is_the_one_that_begins_first(tmp_path: Path) -> None:
    kept = offers(tmp_path)
    for match, starts in (("late", 90_000), ("unknown", None), ("soon", 5_000)):
        kept.assign(replace(ASSIGNED, match=match, starts_in_ms=starts), NOW, "12")
    assert [match for match, _version, _start in shown(kept)] == ["soon", "late", "unknown"]


def test_a_newer_version_takes_the_place_of_the_older_one_and_not_the_other_way_round(tmp_path: Path) -> None:
    kept = offers(tmp_path)
    kept.assign(replace(ASSIGNED, version=2, length=7), NOW, "12")
    count = kept.count
    kept.assign(ASSIGNED, NOW, "12")
    assert [(one.version, one.setup.length) for one in kept.all("12")] == [(2, 7)]
    kept.assign(replace(ASSIGNED, version=3, length=9), NOW, "12")
    assert [(one.version, one.setup.length) for one in kept.all("12")] == [(3, 9)]
    assert kept.count > count


def test_what_was_opened_is_not_offered_again(tmp_path: Path) -> None:
    kept = offers(tmp_path)
    kept.assign(ASSIGNED, NOW, "12")
    kept.opened("m-99")
    kept.opened("m-7")
    for each in (kept, offers(tmp_path)):
        each.assign(ASSIGNED, NOW, "12")
        assert shown(each) == []
        with pytest.raises(CommandRefused) as refused:
            each.assign(replace(ASSIGNED, version=2), NOW, "12")
        assert refused.value.code == "match_over"


def test_a_match_that_is_on_the_table_is_not_offered(tmp_path: Path) -> None:
    box = Box(tmp_path)
    box.obey(ASSIGNED)
    (offer,) = box.hall.offers.all("12")
    box.session.command(c.OpenMatch("m-7", offer.setup, offer.place), NOW)
    assert box.obey(ASSIGNED).done
    assert box.hall.offers.all("12") == ()
    assert box.obey(replace(ASSIGNED, version=5)).code == "match_over"


def test_so_many_wait_and_no_more(tmp_path: Path) -> None:
    kept = offers(tmp_path)
    for n in range(MOST):
        kept.assign(replace(ASSIGNED, match=f"m{n}"), NOW, "12")
    with pytest.raises(CommandRefused):
        kept.assign(replace(ASSIGNED, match="one-more"), NOW, "12")
    assert len(kept.all("12")) == MOST


def test_so_many_opened_ones_are_remembered(tmp_path: Path) -> None:
    kept = offers(tmp_path)
    for n in range(MOST_OPENED + 3):
        kept.assign(replace(ASSIGNED, match=f"m{n}"), NOW, "12")
        kept.opened(f"m{n}")
    assert len(json.loads((tmp_path / FILE).read_text())["opened"]) == MOST_OPENED


@pytest.mark.parametrize("text", ["", "[]", '{"boot":"b","offers":[1],"opened":{}}', '{"boot":"b","offers":[],"opened":5}', "\xff"])
def test_a_damaged_file_offers_nothing_and_is_written_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text, encoding="latin-1")
    kept = offers(tmp_path)
    assert shown(kept) == []
    kept.assign(ASSIGNED, NOW, "12")
    assert len(shown(offers(tmp_path))) == 1


def test_a_match_whose_rulebook_is_gone_is_left_out(tmp_path: Path) -> None:
    offers(tmp_path).assign(ASSIGNED, NOW, "12")
    text = (tmp_path / FILE).read_text()
    (tmp_path / FILE).write_text(text.replace('"ibgf"', '"gone"'))
    assert shown(offers(tmp_path)) == []


class Card:
    """A disk that writes when it is told to."""

    def __init__(self) -> None:
        self.jobs: list[Callable[[], None]] = []

    def run(self, count: int = 1) -> None:
        for _ in range(count):
            self.jobs.pop(0)()


def slow(folder: Path) -> tuple[Offers, Card]:
    card = Card()
    return Offers(folder, LIBRARY, "boot", lambda: (0, True), NOW, beside=card.jobs.append), card


def full(*_args: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_slow_card_delays_no_change_and_each_is_settled_once_it_is_on_disk(tmp_path: Path) -> None:
    kept, card = slow(tmp_path)
    kept.assign(ASSIGNED, NOW, "12")
    first = kept.count
    kept.assign(replace(ASSIGNED, match="m-8"), NOW, "12")
    assert [match for match, _version, _start in shown(kept)] == ["m-7", "m-8"]
    assert (kept.settled(first), kept.settled(kept.count)) == (False, False)
    card.run()
    assert kept.settled(first) is False, "a newer writing holds it, and makes this one needless"
    assert not (tmp_path / FILE).exists()
    card.run()
    assert (kept.settled(first), kept.settled(kept.count)) == (True, True)
    assert shown(offers(tmp_path)) == shown(kept)


def test_what_the_disk_does_not_take_is_taken_back_up_to_the_last_that_it_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, card = slow(tmp_path)
    kept.assign(ASSIGNED, NOW, "12")
    card.run()
    monkeypatch.setattr("kiosk.app.kept.write", full)
    kept.assign(replace(ASSIGNED, match="m-8"), NOW, "12")
    change = kept.count
    kept.opened("m-7")
    card.run(2)
    fault = kept.settled(change)
    assert isinstance(fault, OffersUnavailable)
    assert "No space left" in str(fault)
    assert shown(kept) == [], "what was opened meanwhile stays opened"
    assert str(kept.settled(change)) == str(fault)


def test_a_writing_that_failed_counts_when_a_newer_one_with_all_of_it_went_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, card = slow(tmp_path)
    kept.assign(ASSIGNED, NOW, "12")
    change = kept.count
    with monkeypatch.context() as broken:
        broken.setattr("kiosk.app.kept.write", full)
        card.run()
    kept.assign(replace(ASSIGNED, match="m-8"), NOW, "12")
    assert kept.settled(change) is False
    card.run()
    assert kept.settled(change) is True
    assert shown(offers(tmp_path)) == shown(kept)
