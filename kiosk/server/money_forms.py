"""What an organizer types about money, read field by field: what is wrong stands beside its field, and what was typed stays there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiosk.domain.text import seen
from kiosk.say import _
from kiosk.tournament.money import MAIN, WHOLE, Currency, Deducted, PoolSet, Terms
from kiosk.tournament.prizes import check_shares, percent
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_SHARES_TEXT = 2000


class WrongFieldsError(TournamentError):
    """You erred in one or several fields of a form; nothing has changed."""


@dataclass(slots=True)
class Typed:
    """A form as it was sent."""

    text: Callable[[str], str]
    """A field's text; empty where it has none."""
    currency: Currency
    wrong: dict[str, str] = field(default_factory=dict)
    """What is wrong, by the field's name."""

    def amount(self, name: str, *, least: int = 0) -> int:
        """An amount; nothing is 0.

        Args:
            name: The field's.
            least: In the currency's smallest unit.
        """
        text = self.text(name).strip()
        try:
            amount = self.currency.read(text) if text else 0
        except TournamentError as error:
            self.wrong[name] = str(error)
            return least
        if amount < least:
            self.wrong[name] = _("An amount has to be here, of {least} at least.", least=self.currency.told(least))
        return amount

    def words(self, name: str, longest: int, *, needed: bool = True) -> str:
        """A text on one line."""
        text = " ".join(self.text(name).split())
        if needed and not text:
            self.wrong[name] = _("Something has to stand here.")
        elif len(text) > longest or (text and not seen(text)):
            self.wrong[name] = _("At most {longest} characters stand here, each of which can be seen.", longest=longest)
        return text

    def whole(self, name: str) -> int:
        """One of what a form offers, by its number; nothing is 0."""
        text = self.text(name).strip() or "0"
        if not re.fullmatch(r"[0-9]{1,6}", text, re.ASCII):
            self.wrong[name] = _("Choose one of what the form offers.")
            return 0
        return int(text)

    def points(self, name: str) -> int:
        """A share in hundredths of a percent; nothing is 0."""
        text = self.text(name).strip().removesuffix("%").strip()
        made = _share(text) if text else 0
        if made is None or made > WHOLE:
            self.wrong[name] = _(
                "A share is a number of percent up to 100, with at most two digits behind the point; “{text}” is none.", text=text[:40]
            )
            return 0
        return made

    def shares(self, name: str) -> tuple[int, ...]:
        """A payout table."""
        try:
            made = shares_of(self.text(name))
            check_shares(made)
        except TournamentError as error:
            self.wrong[name] = str(error)
            return ()
        return made

    def check(self) -> None:
        """Let nothing of it be done where something is wrong.

        Raises:
            WrongFieldsError: Something is.
        """
        if self.wrong:
            raise WrongFieldsError(_("Nothing was entered: look at what is marked below."))


@dataclass(frozen=True, slots=True)
class Sent:
    """Which of a page's forms was sent and refused, for the page that shows it again."""

    form: str = ""
    """Its name; empty: none was."""
    typed: Typed | None = None
    sentence: str = ""
    """For the top of the page."""

    def wrong(self, form: str, name: str) -> str:
        """What is wrong with a field; empty: nothing."""
        return self.typed.wrong.get(name, "") if self.typed is not None and form == self.form else ""

    def value(self, form: str, name: str, default: str = "") -> str:
        """What stands in a field: what was typed, where this form was sent."""
        return self.typed.text(name)[:MOST_SHARES_TEXT] if self.typed is not None and form == self.form else default


def _share(text: str) -> int | None:
    """A number of percent in hundredths; None: it is none."""
    found = re.fullmatch(r"([0-9]{1,3})(?:[.,]([0-9]{1,2}))?", text, re.ASCII)
    return None if found is None else int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))


def shares_of(text: str) -> tuple[int, ...]:
    """A payout table as it is typed: `40; 24; 12; 12; 3 x 4`, or one share a line.

    Raises:
        TournamentError: Something of it is no share.
    """
    found: list[int] = []
    for part in filter(None, (each.strip() for each in re.split(r"[;\n]|,(?=\s)", text[:MOST_SHARES_TEXT]))):
        both = re.fullmatch(r"(\S+?)\s*%?(?:\s*[x×*]\s*([0-9]{1,3}))?", part)
        share = None if both is None else _share(both[1])
        if both is None or share is None:
            raise TournamentError(_("Shares are written as 50; 25; 12.5 x 2; “{text}” is none.", text=part[:40]))
        found += [share] * int(both[2] or "1")
    return tuple(found)


def shares_text(shares: tuple[int, ...]) -> str:
    """A payout table as `shares_of` reads it; the same shares one behind the other stand once."""
    parts: list[list[int]] = []
    for share in shares:
        if parts and parts[-1][0] == share:
            parts[-1][1] += 1
        else:
            parts.append([share, 1])
    return "; ".join(percent(share) + (f" x {times}" if times > 1 else "") for share, times in parts)


# ── Forms ────────────────────────────────────────────────────────────────────
def terms_of(text: Callable[[str], str]) -> tuple[Terms, Typed]:
    """The terms as their form has them, and what is wrong in it."""
    digits = text("decimals")
    currency = Currency(" ".join(text("code").split()), int(digits) if digits in {"0", "1", "2", "3", "4"} else 2)
    typed = Typed(text, currency)
    typed.words("code", 8)
    terms = Terms(
        currency,
        typed.amount("fee"),
        typed.amount("again"),
        typed.amount("late"),
        typed.amount("unit", least=1),
        published=text("published") == "yes",
    )
    return terms, typed


def pool_of(number: int, typed: Typed) -> PoolSet:
    """A fund as its form has it."""
    shares = typed.shares("shares")
    if number == MAIN:
        return PoolSet(MAIN, "", 0, shares)
    return PoolSet(number, typed.words("name", 60), typed.amount("fee"), shares, typed.whole("stage"))


def deduction_of(pool: int, typed: Typed) -> Deducted:
    """A deduction as its form has it: a share, or a fixed amount."""
    why, points, amount, to = typed.words("why", 200), typed.points("points"), typed.amount("amount"), typed.whole("to")
    if not typed.wrong and (points > 0) is (amount > 0):
        typed.wrong["points"] = _("Here stands a share of the fees, or in the next field a fixed amount: one of both.")
    return Deducted(pool, why, points, amount, to)
