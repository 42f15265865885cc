"""The money of an event at the organizer's desk: entered, never edited, divided to the last cent, and none of the draw's business."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook
from sqlalchemy import delete, select

from kiosk.domain.officials import Role
from kiosk.server import money, tournament, tournament_file
from kiosk.server.schema import audit, ledger
from kiosk.tournament import money as m
from kiosk.tournament.ledger import Ledger, sums
from kiosk.tournament.money import MAIN
from kiosk.tournament.results import TournamentError
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.tournament_rig import AT, enter, now, opened, result

HERE = f"{AT}/money"
HEADS = "Fund,Place,Name,Amount (EUR),Handed over (EUR)"
TERMS = {"code": "EUR", "decimals": "2", "fee": "30", "again": "20", "late": "5,50", "unit": "1"}


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        yield made


@pytest.fixture
def both(tmp_path: Path, database: str) -> Iterator[Desk]:
    with desk_over(tmp_path, database) as made:
        yield made


def kept(rig: Desk) -> Ledger:
    with rig.house.store.read() as connection:
        return money.standing(connection)


def begun(rig: Desk, count: int = 4) -> None:
    enter(rig, count)
    assert rig.send(f"{HERE}/terms", **TERMS).status_code == 303


def full(rig: Desk, ident: int, amount: int = 3000) -> int:
    return rig.send(f"{HERE}/entrant/{ident}/full", open=amount).status_code


def page(rig: Desk, path: str = "") -> str:
    return text_of(rig.organizer.get(f"{HERE}{path}"))


def of(rig: Desk, ident: int, what: str, **fields: str) -> str:
    """Send a form of an entrant's page, as it was just loaded; what the page says then, where it was refused."""
    fields = {"pool": "0", "seen": str(money.seen(kept(rig), entrant=ident)), **fields}
    answer = rig.send(f"{HERE}/entrant/{ident}/{what}", **fields)
    return "" if answer.status_code == 303 else text_of(answer)


# ── Who has paid ─────────────────────────────────────────────────────────────
def test_who_has_paid_is_seen_at_a_glance_and_entered_by_one_touch(both: Desk) -> None:
    assert "begin with the terms" in page(both)
    begun(both)
    assert "120.00 EUR still open, of 4 entrants" in page(both)
    assert (
        both.send(f"{HERE}/entrant/2/full", open=3000, q="P", show="open").headers["location"]
        == f"{HERE}?q=P&show=open&done=money_paid#e-2"
    )
    assert sums(kept(both))[MAIN, 2].paid == 3000
    assert full(both, 2) == 400, "sent twice, it is entered once"
    assert "owes something else by now" in text_of(both.send(f"{HERE}/entrant/3/full", open=5))
    assert both.send(f"{HERE}/entrant/3/full", open="x").status_code == 400
    assert "30.00 EUR received 90.00 EUR still open, of 3" in page(both)
    for query, shown in (
        ("?show=paid", ["P2"]),
        ("?show=open", ["P1", "P3", "P4"]),
        ("?q=p3", ["P3"]),
        ("?q=4", ["P4"]),
        ("?show=over", []),
    ):
        listed = page(both, query)
        assert [name for name in ("P1", "P2", "P3", "P4") if f"· {name}" in listed] == shown, query


def test_who_was_struck_off_the_list_keeps_his_name_in_the_ledger(rig: Desk) -> None:
    begun(rig)
    assert full(rig, 4) == 303
    assert rig.send(f"{AT}/entrants/4/strike").status_code == 303
    assert "P4, off the list" in page(rig, "/entrant/4")
    assert "P4, off the list" in page(rig, "/ledger")


def test_nobody_is_let_off_more_than_he_owes(rig: Desk) -> None:
    begun(rig)
    assert "P1 owes 30.00 EUR" in of(rig, 1, "waive", amount="30,01", why="junior")
    assert of(rig, 1, "waive", amount="30", why="junior") == ""
    assert "P1 owes 0.00 EUR" in of(rig, 1, "waive", amount="1", why="junior")
    assert not kept(rig).undone


def test_all_that_can_be_of_one_entrant_is_entered_and_reversed_and_stays_on_record(rig: Desk) -> None:
    begun(rig)
    rig.send(f"{HERE}/funds/new", seen="0", name="Jackpot", fee="10", shares="100")
    assert of(rig, 1, "late") == of(rig, 1, "join", pool="1") == of(rig, 1, "waive", amount="5", why="junior") == ""
    for part in (
        "1 · P1",
        "Main fund 30.50 EUR 0.00 EUR open: 30.50 EUR",
        "Jackpot 10.00 EUR",
        "Paid in full: 40.50 EUR",
        "late entry",
        "junior",
    ):
        assert part in page(rig, "/entrant/1"), part
    assert "Entered late" not in page(rig, "/entrant/1"), "he has been charged for it"
    assert of(rig, 1, "pay", amount="40") == of(rig, 1, "refund", amount="9.5", why="left") == ""
    assert sums(kept(rig))[MAIN, 1].received == 3050
    assert of(rig, 1, "charge", amount="1", why="cloakroom") == ""
    assert "open: 1.00 EUR" in page(rig, "/entrant/1")
    last = len(kept(rig).entries)
    assert "cloakroom" in page(rig, f"/reverse/{last}")
    assert rig.send(f"{HERE}/reverse/{last}", why="not his").headers["location"] == f"{HERE}/entrant/1?done=money_reversed"
    assert "cloakroom reversed: not his" in page(rig, "/entrant/1")
    assert "It is reversed already: not his" in page(rig, f"/reverse/{last}")
    ledger_told = page(rig, "/ledger")
    assert f"entry {last}: not his" in ledger_told
    assert "5.50 EUR late entry" in ledger_told


def test_what_is_wrong_stands_beside_its_field_with_what_was_typed(rig: Desk) -> None:
    begun(rig)
    for what, fields, told in (
        ("pay", {"amount": "3o"}, "An amount is a number such as 25 or 25.50; “3o” is none."),
        ("pay", {"amount": "1.005"}, "EUR has 2 digits behind the point"),
        ("pay", {"amount": ""}, "An amount has to be here, of 0.01 EUR at least."),
        ("pay", {"amount": "5", "pool": "7"}, "There is no pool 7."),
        ("pay", {"amount": "5", "pool": "x"}, "Choose one of what the form offers."),
        ("waive", {"amount": "5", "why": " "}, "Something has to stand here."),
        ("charge", {"amount": "5", "why": "w" * 201}, "At most 200 characters"),
        ("refund", {"amount": "5", "why": "left"}, "Entrant 1 has paid 0.00 EUR that can be given back."),
        ("join", {"pool": "0"}, "Every entrant is in the main fund as it is."),
        ("pay", {"amount": "5", "seen": "9"}, "This was entered already"),
    ):
        answer = rig.send(f"{HERE}/entrant/1/{what}", **({"pool": "0", "seen": "0"} | fields))
        text = text_of(answer)
        assert (answer.status_code, told in text, "Nothing was entered" in text) == (400, True, True), (told, text)
        assert 'class="field wrong"' in answer.text or what == "join", "there is no pool to choose, and no form"
        assert f'value="{fields.get("amount", "")}"' in answer.text
    assert len(kept(rig).entries) == 1, "nothing of it was entered"
    for form, its in (("/entrant/1/pay", "/entrant/1"), ("/funds/0/set", "/funds/0")):
        assert rig.organizer.get(f"{HERE}{form}?lang=uk").headers["location"] == f"{HERE}{its}?lang=uk", "loaded again in another language"
    for path in ("/entrant/9", "/funds/9", "/reverse/9", "/reverse/0", "/nothing.csv", "/payments.doc"):
        assert rig.organizer.get(f"{HERE}{path}").status_code == 404, path
    assert "enter what is right instead" in text_of(rig.send(f"{HERE}/reverse/1", why="x"))
    assert rig.send(f"{HERE}/entrant/1/gift").status_code == 404
    with pytest.raises(TournamentError, match="Nobody on the entry list"), rig.hall.act() as act:
        money.enter(act, [m.Paid(9, MAIN, 5)])


def test_terms_that_cannot_be_are_told_and_amounts_keep_their_digits(rig: Desk) -> None:
    begun(rig)
    full(rig, 1)
    for change, told in (
        ({"code": ""}, "Something has to stand here."),
        ({"code": "a long name"}, "At most 8 characters"),
        ({"fee": "much"}, "“much” is none"),
        ({"unit": "0"}, "of 0.01 EUR at least"),
        ({"code": "MKD"}, "Amounts in EUR count already"),
        ({"decimals": "0", "late": "5"}, "the digits behind the point stay as they are"),
    ):
        answer = rig.send(f"{HERE}/terms", **(TERMS | change))
        assert (answer.status_code, told in text_of(answer)) == (400, True), (told, text_of(answer))
        assert f'value="{change.get("fee", "30")}"' in answer.text
    assert rig.send(f"{HERE}/terms", **(TERMS | {"decimals": "x", "published": "yes"})).status_code == 303
    assert kept(rig).terms == m.Terms(m.Currency("EUR", 2), 3000, 2000, 550, 100, published=True)


# ── Funds ────────────────────────────────────────────────────────────────────
def test_a_fund_shows_what_it_holds_and_pays_now_and_once_all_have_paid(rig: Desk) -> None:
    begun(rig)
    assert full(rig, 1) == full(rig, 2) == 303
    at = f"{HERE}/funds/0"
    assert rig.send(f"{at}/set", shares="50; 30\n10 x 2").status_code == 303
    assert rig.send(f"{at}/deduct", why="federation", points="10", seen=0).status_code == 303
    assert rig.send(f"{at}/deduct", why="hall", amount="20", seen=1).status_code == 303
    assert rig.send(f"{at}/add", why="sponsor", amount="100", seen=2).status_code == 303
    told = page(rig, "/funds")
    for part in (
        "Fees 60.00 EUR 120.00 EUR",
        "Added 100.00 EUR 100.00 EUR",
        "Deducted: federation -6.00 EUR -12.00 EUR",
        "Deducted: hall -20.00 EUR",
        "For prizes 134.00 EUR 188.00 EUR",
        "1 50 68.00 EUR 96.00 EUR",
        "3–4 10 13.00 EUR 18.00 EUR",
    ):
        assert part in told, (part, told)
    form = rig.organizer.get(at).text
    assert ">50; 30; 10 x 2</textarea>" in form
    assert 'data-fund="13400"' in form
    assert "federation" in text_of(rig.organizer.get(at))


def test_what_a_fund_cannot_be_is_told_with_what_was_typed(rig: Desk) -> None:
    begun(rig)
    refused: list[tuple[str, dict[str, str], str]] = [
        ("set", {"shares": "50; 40"}, "The shares come to 90 %, not to 100 %."),
        ("set", {"shares": "50; half"}, "“half” is none"),
        ("set", {"shares": "100, 0"}, "has a share of its own"),
        ("deduct", {"why": "hall"}, "one of both"),
        ("deduct", {"why": "hall", "points": "5", "amount": "5"}, "one of both"),
        ("deduct", {"why": "hall", "points": "101"}, "up to 100"),
        ("deduct", {"points": "5"}, "Something has to stand here."),
        ("add", {"why": "sponsor"}, "0.01 EUR at least"),
        ("add", {"why": "sponsor", "amount": "5", "seen": "3"}, "This was entered already"),
        ("join", {"entrant": "1"}, "in the main fund as it is"),
        ("drop", {}, "The main fund stays."),
    ]
    for what, fields, told in refused:
        answer = rig.send(f"{HERE}/funds/0/{what}", **({"seen": "0"} | fields))
        assert (answer.status_code, told in text_of(answer)) == (400, True), text_of(answer)
        assert all(value in answer.text for name, value in fields.items() if name != "entrant")
    assert len(kept(rig).entries) == 1


def test_a_side_pool_is_made_joined_and_dropped(rig: Desk) -> None:
    begun(rig)
    assert "a name of 1 to 60" not in page(rig, "/funds/new")
    assert "Something has to stand here." in text_of(rig.send(f"{HERE}/funds/new", name="", fee="x"))
    assert (
        rig.send(f"{HERE}/funds/new", seen="0", name="Jackpot", fee="10", shares="").headers["location"] == f"{HERE}/funds/1?done=pool_made"
    )
    assert "This was entered already" in text_of(rig.send(f"{HERE}/funds/new", seen="0", name="Other")), "a second click"
    assert "called Jackpot already" in text_of(rig.send(f"{HERE}/funds/new", seen="1", name="Jackpot"))
    assert rig.send(f"{HERE}/funds/1/join", entrant="3").status_code == 303
    assert "Who takes part (1) P3 open: 10.00 EUR" in page(rig, "/funds/1")
    assert "has entries that count" in text_of(rig.send(f"{HERE}/funds/1/drop"))
    rig.send(f"{HERE}/reverse/{len(kept(rig).entries)}", why="another one")
    assert rig.send(f"{HERE}/funds/1/drop").headers["location"] == f"{HERE}/funds?done=pool_dropped"
    assert "Pool 1" in page(rig, "/ledger"), "what was entered in it stays on record"
    assert rig.send(f"{HERE}/funds/1/set", name="x").status_code == 404
    assert rig.send(f"{HERE}/funds/0/burn").status_code == 404


def test_a_payout_table_in_which_a_later_place_gets_more_is_kept_and_marked(rig: Desk) -> None:
    begun(rig)
    assert rig.send(f"{HERE}/funds/0/set", shares="10; 30; 30; 30").status_code == 303
    assert "A later place gets more than the one before it: 2." in page(rig, "/funds/0")
    rig.send(f"{HERE}/funds/0/set", shares="40; 30; 30")
    assert "A later place" not in page(rig, "/funds/0")


# ── Prizes ───────────────────────────────────────────────────────────────────
def played(rig: Desk) -> None:
    """Four in a knock-out, all have paid; the main fund is divided, and a side pool of two."""
    begun(rig)
    opened(rig, system="single")
    for ident in (1, 2, 3, 4):
        full(rig, ident)
    rig.send(f"{HERE}/funds/0/set", shares="50; 30; 10; 10")
    rig.send(f"{HERE}/funds/new", seen="0", name="Jackpot", fee="10", shares="100")
    for ident in (3, 4):
        rig.send(f"{HERE}/funds/1/join", entrant=str(ident))
        full(rig, ident, 1000)
    for key in ("M1.1", "M1.2", "M2.1"):
        result(rig, key)


def test_the_prize_list_has_names_once_the_ranking_stands(rig: Desk) -> None:
    played(rig)
    told = page(rig, "/prizes")
    for part in (
        "The ranking stands",
        "Main fund 120.00 EUR",
        "1 P1 60.00 EUR Hand over 60.00 EUR 2 P2 36.00 EUR Hand over 36.00 EUR 3–4",
        "Jackpot 20.00 EUR The ranking stands Place Name Amount Handed over 1–2",
    ):
        assert part in told, (part, told)
    slips = page(rig, "/prizes/receipts")
    assert slips.count("Received: signature") == 6
    assert "Provisional" not in slips
    rig.send(f"{AT}/stage/1/match/M2.1/reopen", sure="yes", seen=now(rig).n)
    assert "Provisional: matches are still open" in page(rig, "/prizes")
    assert "Provisional: matches are still open" in page(rig, "/prizes/receipts")


def test_a_consolation_is_paid_from_the_main_fund_by_its_own_table(rig: Desk) -> None:
    played(rig)
    opened(rig, system="consolation", name="Second chance", of="1")
    assert rig.send(f"{HERE}/funds/new", seen="1", name="Consolation", shares="100", stage="2").status_code == 303
    assert rig.send(f"{HERE}/funds/0/deduct", why="for the second chance", points="25", to="2", seen=0).status_code == 303
    assert "Choose one of what the form offers." in text_of(rig.send(f"{HERE}/funds/new", name="X", stage="x"))
    told = page(rig, "/prizes")
    assert "Main fund 90.00 EUR The ranking stands" in told
    assert "Consolation 30.00 EUR Nobody has a prize yet." in told, "nothing of it was played"
    assert "everybody's, without a fee · by the table of Second chance" in page(rig, "/funds")
    assert "for the second chance, goes to Consolation" in page(rig, "/funds/2")
    rig.send(f"{AT}/stage/2/match/C1.1", outcome="left")
    assert "Consolation 30.00 EUR The ranking stands" in page(rig, "/prizes")
    rig.send(f"{HERE}/terms", **TERMS, published="yes")
    assert "Consolation 30.00 EUR By the table of Second chance The ranking stands" in text_of(rig.as_(None).get("/tournament/prizes"))


def test_files_hold_what_the_pages_show(rig: Desk) -> None:
    played(rig)
    prizes = rig.organizer.get(f"{HERE}/prizes.csv").content.decode("utf-8-sig").splitlines()
    assert prizes[:3] == [HEADS, "Main fund,1,P1,60.00,0.00", "Main fund,2,P2,36.00,0.00"]
    payments = rig.organizer.get(f"{HERE}/payments.csv").content.decode("utf-8-sig")
    assert "3,P3,40.00,40.00,0.00,Jackpot" in payments
    told = rig.organizer.get(f"{HERE}/ledger.csv").content.decode("utf-8-sig")
    assert "takes part,P4,Jackpot" in told
    book = load_workbook(io.BytesIO(rig.organizer.get(f"{HERE}/prizes.xlsx").content))
    cells = [(cell.value, cell.number_format) for cell in book["Prizes"][4]]
    assert cells[1:] == [(1, "General"), ("P1", "General"), (60, "0.00"), (0, "0.00")]
    assert rig.organizer.get(f"{HERE}/payments.pdf").content.startswith(b"%PDF")


def test_a_prize_is_handed_over_by_one_touch_and_reversed_in_the_ledger(rig: Desk) -> None:
    played(rig)
    hand = {"pool": "0", "entrant": "1", "open": "6000"}
    assert "Hand over 60.00 EUR" in page(rig, "/prizes")
    assert rig.send(f"{HERE}/prizes/hand", **hand).headers["location"] == f"{HERE}/prizes?done=prize_handed"
    again = rig.send(f"{HERE}/prizes/hand", **hand)
    assert (again.status_code, "this prize is another one by now" in text_of(again)) == (400, True)
    told = page(rig, "/prizes")
    assert "1 P1 60.00 EUR Handed over" in told
    assert "Hand over 60.00 EUR" not in told
    assert "Main fund,1,P1,60.00,60.00" in rig.organizer.get(f"{HERE}/prizes.csv").content.decode("utf-8-sig")
    assert "prize handed over P1 Main fund 60.00 EUR" in page(rig, "/ledger")
    entry = len(kept(rig).entries)
    rig.send(f"{HERE}/reverse/{entry}", why="the wrong envelope")
    assert "Hand over 60.00 EUR" in page(rig, "/prizes")


def test_what_was_handed_over_too_much_is_told(rig: Desk) -> None:
    played(rig)
    with rig.hall.act() as act:
        money.enter(act, [m.HandedOver(1, MAIN, 7000), m.HandedOver(2, MAIN, 600)])
    told = page(rig, "/prizes")
    assert "10.00 EUR too much" in told
    assert "6.00 EUR Hand over 30.00 EUR" in told
    rig.send(f"{AT}/stage/1/match/M2.1/reopen", sure="yes", seen=now(rig).n)
    told = page(rig, "/prizes")
    assert "Hand over" not in told, "the ranking does not stand"
    refused = rig.send(f"{HERE}/prizes/hand", pool="0", entrant="2", open="3000")
    assert "this prize is another one by now" in text_of(refused)


def test_who_has_received_a_prize_and_has_none_is_told(rig: Desk) -> None:
    begun(rig)
    full(rig, 1)
    with rig.hall.act() as act:
        money.enter(act, [m.HandedOver(3, MAIN, 500)])
    assert "P3 has received 5.00 EUR of this fund and has no prize in it." in page(rig, "/prizes")


def test_a_file_of_no_prizes_has_its_heads(rig: Desk) -> None:
    assert rig.organizer.get(f"{HERE}/prizes.csv").content.decode("utf-8-sig").splitlines() == [HEADS]


def test_a_pool_goes_by_a_stage_that_is_there_and_keeps_it(rig: Desk) -> None:
    played(rig)
    assert "There is no stage 7." in text_of(rig.send(f"{HERE}/funds/new", seen="1", name="Seventh", shares="100", stage="7"))
    opened(rig, system="consolation", name="Second chance", of="1")
    rig.send(f"{HERE}/funds/new", seen="1", name="Consolation", shares="100", stage="2")
    assert "The side pool Consolation is decided by this stage" in text_of(rig.send(f"{AT}/stage/2/close"))
    rig.send(f"{HERE}/funds/2/set", name="Consolation", shares="100", stage="0")
    assert rig.send(f"{AT}/stage/2/close").status_code == 303


def test_anybody_sees_payout_tables_and_prizes_only_where_they_are_published_and_never_who_has_paid(rig: Desk) -> None:
    def seen() -> str:
        return text_of(rig.as_(None).get("/tournament/prizes"))

    assert "No payout table has been decided yet." in seen()
    assert "Prizes and payout tables" not in text_of(rig.as_(None).get("/tournament"))
    played(rig)
    assert "Prizes and payout tables" in text_of(rig.as_(None).get("/tournament"))
    assert "1 50 2 30 3–4 10" in seen()
    assert not [word for word in ("EUR", "P1", "paid") if word in seen()]
    rig.send(f"{HERE}/terms", **TERMS, published="yes")
    assert "1 P1 60.00 EUR" in seen()
    rig.send(f"{AT}/stage/1/match/M2.1/reopen", sure="yes", seen=now(rig).n)
    assert "P1" not in seen(), "names stand there once the ranking stands"
    assert "1 50 60.00 EUR" in seen()
    for role in (None, Role.REFEREE, Role.CHIEF):
        for path in ("", "/entrant/1", "/funds", "/prizes", "/ledger", "/terms", "/payments.csv"):
            assert rig.as_(role).get(f"{HERE}{path}").status_code in {303, 401, 403}, (role, path)


# ── Apart from the draw ──────────────────────────────────────────────────────
def test_a_wrong_payment_changes_nothing_of_the_tournament(rig: Desk) -> None:
    begun(rig)
    opened(rig)
    before = now(rig)
    full(rig, 1)
    of(rig, 1, "late")
    rig.send(f"{HERE}/funds/new", seen="0", name="Jackpot", fee="10")
    assert now(rig) == before


def test_readers_begin_anew_where_the_ledger_is_another_one(rig: Desk) -> None:
    begun(rig)
    full(rig, 1)
    assert len(kept(rig).entries) == 2
    with rig.house.store.write() as connection:
        connection.execute(delete(ledger).where(ledger.c.n > 1))
    assert len(kept(rig).entries) == 1
    full(rig, 2)
    assert [type(each) for each in kept(rig).entries] == [m.TermsSet, m.Paid]


def test_money_goes_with_the_file_of_the_event_and_comes_back(rig: Desk, tmp_path: Path) -> None:
    played(rig)
    rig.send(f"{HERE}/reverse/2", why="twice")
    whole = rig.organizer.get(f"{AT}/event.json").content
    assert json.loads(whole)["version"] == 2
    (tmp_path / "other").mkdir()
    with desk_over(tmp_path / "other") as other:
        assert other.send(f"{AT}/event", files={"file": ("t.json", whole)}).status_code == 303
        assert kept(other) == kept(rig)
        with rig.house.store.read() as one, other.house.store.read() as two:
            assert one.execute(select(ledger)).all() == two.execute(select(ledger)).all()
        assert other.organizer.get(f"{AT}/event.json").json()["money"] == json.loads(whole)["money"]
        assert other.send(f"{AT}/event", files={"file": ("t.json", whole)}).status_code == 400


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({}, "is damaged"),
        ([{"kind": "gift", "data": {}}], "Entry 1 of the file is damaged"),
        ([{"kind": "paid", "data": {}, "at_ns": 0, "by": ""}], "Entry 1 of the file is damaged"),
        (
            [{"kind": "pool_dropped", "data": {"pool": 3}, "at_ns": 0, "by": ""}],
            "Entry 1 of the file's ledger cannot be: There is no pool 3.",
        ),
    ],
)
def test_a_file_whose_ledger_cannot_be_is_refused(entries: object, told: str) -> None:
    whole = {"format": tournament_file.FORMAT, "version": 2, "happened": [], "money": entries}
    with pytest.raises(TournamentError, match=told):
        tournament_file.read(json.dumps(whole).encode())


def test_a_server_whose_ledger_was_begun_opens_no_other_tournament(rig: Desk) -> None:
    rig.send(f"{HERE}/terms", **TERMS)
    with rig.house.store.read() as connection:
        assert tournament.count(connection) == 0
    empty = {"format": tournament_file.FORMAT, "version": 1, "happened": []}
    answer = rig.send(f"{AT}/event", files={"file": ("t.json", json.dumps(empty).encode())})
    assert "has a tournament already" in text_of(answer)


def test_the_audit_tells_amounts_with_their_currency_and_names(rig: Desk) -> None:
    begun(rig)
    full(rig, 1)
    rig.send(f"{HERE}/funds/0/deduct", why="hall", points="5", seen=0)
    rig.send(f"{HERE}/funds/0/set", shares="100")
    with rig.house.store.read() as connection:
        told = [json.loads(row.what) for row in connection.execute(select(audit)) if row.act == "money_changed"]
    assert told == [
        {"what": "terms_set", "amount": ["30.00 EUR", "20.00 EUR", "5.50 EUR", "1.00 EUR"]},
        {"what": "paid", "entrant": 1, "name": "P1", "amount": "30.00 EUR", "fund": 0},
        {"what": "deducted", "why": "hall", "fund": 0, "share": "5 %"},
        {"what": "pool_set", "name": "", "fund": 0, "shares": ["100"]},
    ]
    assert "money entered" in text_of(rig.organizer.get("/desk/audit"))
