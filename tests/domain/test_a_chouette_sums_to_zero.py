"""A chouette by its facts alone: places, payments, and what holds whatever happens (002, domain rule 3.7)."""

from __future__ import annotations

from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.domain import facts as f
from kiosk.domain.chouette import Chouette, told
from kiosk.domain.chouette_dice import ranked, still_to_throw, thrown_too_often
from kiosk.domain.facts import Party
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Instant, present

AT = Instant(0)
FOUR = ("Ana", "Boris", "Vera", "Goran")
BOX_DOUBLES = f.ChouetteBoxDoubled(AT)


def played(*facts: f.ChouetteFact, players: tuple[str, ...] = FOUR, jacoby: bool = False, backgammon: int = 3) -> Chouette:
    """Ana in the box, Boris captain."""
    opening = f.ChouetteOpened(AT, "c1", players, (), jacoby=jacoby, automatic=True, backgammon=backgammon)
    return present(reduce(told, (opening, *facts), None))


def wants(*names: str) -> tuple[f.ChouetteDoubleWanted, ...]:
    return tuple(f.ChouetteDoubleWanted(AT, name, wants=True) for name in names)


def takes(*names: str) -> tuple[f.ChouetteAnswered, ...]:
    return tuple(f.ChouetteAnswered(AT, name, takes=True) for name in names)


def passes(*names: str) -> tuple[f.ChouetteAnswered, ...]:
    return tuple(f.ChouetteAnswered(AT, name, takes=False) for name in names)


def won(winner: Party, kind: Kind = Kind.SINGLE) -> f.ChouetteGameWon:
    return f.ChouetteGameWon(AT, winner, kind)


def points(chouette: Chouette) -> list[int]:
    return [total for _, total in chouette.totals]


# ── Dice ─────────────────────────────────────────────────────────────────────
def test_the_highest_throw_is_in_the_box_and_the_next_is_captain() -> None:
    opening = f.ChouetteOpened(AT, "c1", FOUR, ((3,), (6,), (1,), (5,)), jacoby=True, automatic=True, backgammon=3)
    chouette = told(None, opening)
    assert (chouette.box, chouette.team) == ("Boris", ("Goran", "Ana", "Vera"))
    assert [name for name, _ in chouette.totals] == list(FOUR)


def test_who_is_level_throws_again_among_themselves() -> None:
    assert still_to_throw([(), (), ()]) == (0, 1, 2)
    assert still_to_throw([(4,), (6,), (4,)]) == (0, 2)
    assert still_to_throw([(4,), (4,), ()]) == (2, 0, 1), "first everybody throws once"
    assert still_to_throw([(4, 2), (6,), (4,)]) == (2,)
    assert still_to_throw([(4, 2), (6,), (4, 2)]) == (0, 2)
    assert still_to_throw([(4, 2, 1), (6,), (4, 2, 5)]) == ()
    assert ranked([(4, 2, 1), (6,), (4, 2, 5)]) == (1, 2, 0)


def test_who_throws_again_without_being_level_is_named() -> None:
    assert thrown_too_often([(4, 2), (6,), (4, 5)]) == ()
    assert thrown_too_often([(5, 2), (6,), (4,)]) == (0,)


# ── Places ───────────────────────────────────────────────────────────────────
def test_after_a_lost_game_the_captain_goes_to_the_end_and_the_box_stays() -> None:
    chouette = played(won(Party.BOX))
    assert chouette.players == ("Ana", "Vera", "Goran", "Boris")


def test_after_a_won_game_the_captain_goes_into_the_box_and_the_box_to_the_end() -> None:
    chouette = played(won(Party.TEAM))
    assert chouette.players == ("Boris", "Vera", "Goran", "Ana")


def test_a_captain_who_passes_hands_over_and_whoever_wins_goes_into_the_box() -> None:
    on = played(BOX_DOUBLES, *passes("Boris"), *takes("Vera", "Goran"))
    assert on.captain == "Vera"
    assert told(on, won(Party.TEAM)).players == ("Vera", "Goran", "Boris", "Ana")
    assert told(on, won(Party.BOX)).players == ("Ana", "Vera", "Goran", "Boris")


def test_a_member_who_passes_keeps_his_place_in_the_order() -> None:
    on = played(BOX_DOUBLES, *takes("Boris", "Goran"), *passes("Vera"))
    assert on.captain == "Boris"
    assert on.active == ("Boris", "Goran")
    assert told(on, won(Party.BOX)).players == ("Ana", "Vera", "Goran", "Boris")


def test_who_joins_comes_last_and_who_comes_back_has_his_points_still() -> None:
    chouette = played(won(Party.BOX), f.ChouetteJoined(AT, "Dina"))
    assert chouette.players == ("Ana", "Vera", "Goran", "Boris", "Dina")
    chouette = told(told(chouette, f.ChouetteLeft(AT, "Vera")), f.ChouetteJoined(AT, "Vera"))
    assert chouette.players == ("Ana", "Goran", "Boris", "Dina", "Vera")
    assert chouette.total("Vera") == -1
    assert chouette.total("Dina") == 0


def test_where_the_box_leaves_the_captain_moves_up() -> None:
    assert played(f.ChouetteLeft(AT, "Ana")).players == ("Boris", "Vera", "Goran")


# ── Payments, worked out by hand ─────────────────────────────────────────────
def test_each_member_pays_the_box_or_is_paid_by_it() -> None:
    assert points(played(won(Party.BOX))) == [3, -1, -1, -1]
    assert points(played(won(Party.TEAM))) == [-3, 1, 1, 1]


def test_a_gammon_counts_two_and_a_backgammon_three_or_two() -> None:
    assert points(played(won(Party.TEAM, Kind.GAMMON))) == [-6, 2, 2, 2]
    assert points(played(won(Party.BOX, Kind.BACKGAMMON))) == [9, -3, -3, -3]
    assert points(played(won(Party.BOX, Kind.BACKGAMMON), backgammon=2)) == [6, -2, -2, -2]


def test_under_jacoby_a_gammon_wants_a_turned_cube_and_an_automatic_double_is_none() -> None:
    assert points(played(f.ChouetteTied(AT), won(Party.BOX, Kind.GAMMON), jacoby=True)) == [6, -2, -2, -2]
    assert points(played(BOX_DOUBLES, *takes("Boris", "Vera", "Goran"), won(Party.BOX, Kind.GAMMON), jacoby=True)) == [12, -4, -4, -4]


def test_who_passes_pays_the_stake_as_it_was_and_the_others_play_on_for_the_new_one() -> None:
    on = played(f.ChouetteTied(AT), BOX_DOUBLES, *passes("Goran"), *takes("Boris", "Vera"))
    assert points(on) == [2, 0, 0, -2]
    assert (on.stake.value, on.stake.owner) == (4, Party.TEAM)
    won_by_team = told(on, won(Party.TEAM, Kind.GAMMON))
    assert points(won_by_team) == [2 - 16, 8, 8, -2]
    game = won_by_team.games[0]
    assert (game.cube, game.points, game.out, game.captain) == (4, 8, (("Goran", 2),), "Boris")
    assert game.gains == (("Ana", -14), ("Boris", 8), ("Vera", 8), ("Goran", -2))


def test_where_everybody_passes_the_box_has_won_the_stake_as_it_was() -> None:
    over = played(BOX_DOUBLES, *passes("Vera", "Boris", "Goran"))
    assert points(over) == [3, -1, -1, -1]
    assert (over.games[0].kind, over.games[0].points, over.games[0].captain) == (Kind.PASS, 1, "Boris")
    assert over.players == ("Ana", "Vera", "Goran", "Boris")


def test_the_team_doubles_once_all_of_its_members_want_to() -> None:
    assert played(*wants("Boris", "Vera")).offered is None
    offered = played(*wants("Boris", "Vera", "Goran"))
    assert (offered.offered, offered.asked) == (Party.TEAM, ("Ana",))
    taken = told(offered, *takes("Ana"))
    assert (taken.stake.value, taken.stake.owner, taken.asked) == (2, Party.BOX, ())
    passed = told(offered, *passes("Ana"))
    assert points(passed) == [-3, 1, 1, 1]
    assert passed.players == ("Boris", "Vera", "Goran", "Ana")


def test_one_no_clears_every_yes() -> None:
    chouette = played(*wants("Boris", "Vera"), f.ChouetteDoubleWanted(AT, "Goran", wants=False))
    assert chouette.wanted == ()


def test_only_those_who_are_still_in_the_game_are_asked() -> None:
    on = played(BOX_DOUBLES, *passes("Boris"), *takes("Vera", "Goran"))
    assert played(BOX_DOUBLES, *passes("Boris")).asked == ("Vera", "Goran")
    assert told(told(on, wants("Vera")[0]), wants("Goran")[0]).asked == ("Ana",)


def test_whatever_was_entered_is_taken_back_one_by_one() -> None:
    steps = (BOX_DOUBLES, *passes("Boris"), *takes("Vera", "Goran"), won(Party.TEAM), f.ChouetteJoined(AT, "Dina"), f.ChouetteEnded(AT))
    for n in range(len(steps)):
        assert told(played(*steps[: n + 1]), f.ChouetteUndone(AT)) == played(*steps[:n])


@pytest.mark.parametrize("steps", [(), (f.ChouetteTied(AT),), (BOX_DOUBLES,), wants("Boris"), (BOX_DOUBLES, *passes("Vera"))])
def test_only_a_game_in_which_nothing_was_entered_is_between_games(steps: tuple[f.ChouetteFact, ...]) -> None:
    assert played(*steps).fresh is (not steps)


# ── Whatever happens ─────────────────────────────────────────────────────────
def _possible(chouette: Chouette) -> list[f.ChouetteFact]:
    """Every fact that is lawful now."""
    found: list[f.ChouetteFact] = [f.ChouetteUndone(AT)] if len(chouette.told) > 1 else []
    if chouette.offered is not None:
        return found + [f.ChouetteAnswered(AT, name, takes) for name in chouette.asked for takes in (True, False)]
    kinds = (Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON)
    found += [f.ChouetteGameWon(AT, party, kind) for party in Party for kind in kinds]
    if chouette.stake.value < 64 and chouette.stake.owner is not Party.TEAM:
        found += [BOX_DOUBLES] * 4
    if chouette.stake.value < 64 and chouette.stake.owner is not Party.BOX:
        found += [f.ChouetteDoubleWanted(AT, name, wants=True) for name in chouette.active if name not in chouette.wanted] * 2
    if chouette.fresh:
        found.append(f.ChouetteTied(AT))
        found += [f.ChouetteJoined(AT, name) for name in (*FOUR, "Dina", "Eva") if name not in chouette.players]
        found += [f.ChouetteLeft(AT, name) for name in chouette.players if len(chouette.players) > 3]
    return found


@given(st.data())
def test_whatever_happens_it_sums_to_zero_and_nobody_is_lost_or_pays_twice(data: st.DataObject) -> None:
    chouette = played(players=FOUR[: data.draw(st.integers(3, 4))], jacoby=data.draw(st.booleans()))
    present_ones = set(chouette.players)
    for _ in range(data.draw(st.integers(0, 40))):
        fact = data.draw(st.sampled_from(_possible(chouette)))
        before, chouette = chouette, told(chouette, fact)
        match fact:
            case f.ChouetteJoined():
                present_ones.add(fact.player)
            case f.ChouetteLeft():
                present_ones.remove(fact.player)
            case f.ChouetteUndone():
                present_ones = set(chouette.players)
        assert sum(points(chouette)) == 0
        assert sorted(chouette.players) == sorted(present_ones)
        out = [name for name, _ in chouette.out]
        assert len(set(out)) == len(out)
        assert not set(out) & set(chouette.active)
        if len(chouette.games) > len(before.games):
            game = chouette.games[-1]
            assert sum(gain for _, gain in game.gains) == 0
            gains = dict(game.gains)
            assert all(gains[name] == -paid for name, paid in game.out), "who is out pays what he paid, and no more"
            assert chouette.box == (game.box if game.winner is Party.BOX else game.captain)
