"""Who may sign in at this table: `officials.json` beside the journal, and the twin in memory for simulated matches.

| what is found | what happens |
|---|---|
| nothing | nobody is entered; the first start asks for the first PIN (`wants_first`) |
| a sound file | it is taken up; a change by `kiosk officials` counts at once, also while the table runs |
| a damaged file | renamed to `officials.damaged-1.json` (2, 3 …) and said; it opens no door: nobody is asked for a first PIN |
| a newer Tableside's file | RosterUnavailable; the file stays as it is |
| a disk that can't be read | RosterUnavailable |
| a disk that can't be written | RosterUnavailable; the old file stands |

While a table runs, whoever it knew before stays known through damage, a newer file and a disk that can't be read, until it is switched off:
no referee is locked out in mid-match.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from kiosk import pins
from kiosk.app import kept
from kiosk.app.book import Book, Newer, book_of, text_of
from kiosk.app.logs import log
from kiosk.domain.errors import RosterError, RosterUnavailable
from kiosk.domain.officials import Official, Role, badge_secret, badge_taken, check_badge, check_name_free, check_pin, pin_taken
from kiosk.journal.store import make_folder
from kiosk.say import _, mark

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

ENTER_AGAIN = mark("enter the officials again with `kiosk officials add`")


class FileRoster:
    """The officials of a real table."""

    def __init__(self, path: Path) -> None:
        """Nothing is read yet.

        Args:
            path: The file, in the data folder.
        """
        self.path = path
        self._last: Book | None = None
        self._seen: tuple[int, ...] | None = None
        self._told = ""

    def find(self, secret: str) -> Official | None:
        """Whose PIN this is."""
        return self._known().find(secret)

    def finder(self, secret: str) -> Callable[[], Official | None]:
        """What finds out whose PIN this is among those known now: it takes long, and may run on any thread.

        Raises:
            RosterUnavailable: Who is known cannot be read.
        """
        return partial(self._known().find, secret)

    def officials(self) -> tuple[Official, ...]:
        """Everybody who is entered; cheap enough for every frame."""
        return self._known().officials()

    def fault(self) -> str | None:
        """A sentence while the file cannot be read or was set aside, else None."""
        try:
            self._current()
        except RosterUnavailable as error:
            return str(error)
        return None

    def wants_first(self) -> bool:
        """Whether nobody is entered, so that the start asks for the first official's PIN; never because a file was lost to damage."""
        try:
            return not self._current().entries
        except RosterUnavailable:
            return False

    def named(self, name: str) -> Official:
        """The official of that name.

        Raises:
            RosterError: Nobody is called so.
            RosterUnavailable: Who is known cannot be read.
        """
        book = self._known()
        return book.entries[book.named(name)].official

    def add(self, official: Official, secret: str) -> None:
        """Enter an official.

        Raises:
            CommandRefused: The PIN cannot be used, or name or PIN are taken.
            RosterUnavailable: It cannot be written.
        """
        check_pin(secret)

        def entered(book: Book) -> Book:
            check_name_free(official, book.officials())
            if book.find(secret) is not None:
                raise pin_taken()
            return replace(book, entries=(*book.entries, book.entry(official, secret)))

        self._change(entered, begin=True)

    def remove(self, name: str, *, force: bool = False) -> Official:
        """Take an official out.

        Args:
            name: As entered.
            force: Also the last chief or organizer.

        Raises:
            RosterError: Nobody is called so, or nobody else could lead.
            RosterUnavailable: It cannot be written.
        """
        gone: list[Official] = []

        def without(book: Book) -> Book:
            index = book.named(name)
            gone.append(book.entries[index].official)
            rest = book.entries[:index] + book.entries[index + 1 :]
            leads = gone[-1].role.at_least(Role.CHIEF)
            if leads and not force and not any(entry.official.role.at_least(Role.CHIEF) for entry in rest):
                raise RosterError(
                    _("NAME: {name} is the last chief or organizer here; with --force the entry goes all the same.", name=gone[-1].name)
                )
            return replace(book, entries=rest)

        self._change(without)
        return gone[-1]

    def renew(self, name: str, secret: str, before: Callable[[Official], None] = lambda _official: None) -> Official:
        """Give an official a new PIN; the old one is nobody's from then on.

        Args:
            name: As entered.
            secret: The new PIN.
            before: Called when everything has been checked, before anything is changed; what it raises stops the change.

        Raises:
            CommandRefused: The PIN cannot be used, or is taken.
            RosterError: Nobody is called so.
            RosterUnavailable: It cannot be written.
        """
        check_pin(secret)
        renewed: list[Official] = []

        def changed(book: Book) -> Book:
            index = book.named(name)
            official = book.entries[index].official
            if book.find(secret) is not None:
                raise pin_taken()
            before(official)
            renewed.append(official)
            entry = replace(book.entry(official, secret), badge=book.entries[index].badge)
            return replace(book, entries=(*book.entries[:index], entry, *book.entries[index + 1 :]))

        self._change(changed)
        return renewed[-1]

    def give_badge(self, name: str, number: str | None) -> Official:
        """Give an official a badge in the place of the one before, or take it away; the PIN stays.

        Args:
            name: As entered.
            number: As the reader tells it; None: he has none any more.

        Raises:
            CommandRefused: It is no badge's number, or somebody else's badge.
            RosterError: Nobody is called so.
            RosterUnavailable: It cannot be written.
        """
        if number is not None:
            check_badge(number)
        given: list[Official] = []

        def changed(book: Book) -> Book:
            index = book.named(name)
            given.append(book.entries[index].official)
            secret = None if number is None else badge_secret(number)
            holder = None if secret is None else book.find(secret)
            if holder not in {None, given[-1]}:
                raise badge_taken()
            return book.with_badge(index, secret)

        self._change(changed)
        return given[-1]

    def _change(self, change: Callable[[Book], Book], *, begin: bool = False) -> None:
        """Read, change and write while no other process does.

        Args:
            change: From the old book to the new one.
            begin: A file that was lost to damage is begun anew.
        """
        try:
            make_folder(self.path.parent)
            with kept.held(self.path.parent):
                book = change(self._current(locked=True, begin=begin))
                kept.write(self.path, text_of(book))
        except RosterUnavailable:
            raise
        except OSError as error:
            raise RosterUnavailable(_("{path} cannot be changed: {why}.", path=self.path, why=error.strerror or error)) from error

    def _known(self) -> Book:
        """The file's book, or the last one that could be read."""
        try:
            self._last, self._told = self._current(), ""
        except RosterUnavailable as error:
            if self._last is None:
                raise
            if str(error) != self._told:
                self._told = str(error)
                log.error("%s The officials are those who were known before.", error)
        return self._last

    def _current(self, *, locked: bool = False, begin: bool = False) -> Book:
        """The file's book, read again where the file is another one than before."""
        try:
            status = self.path.stat()
            seen = (status.st_dev, status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size)
            if self._last is None or seen != self._seen:
                self._last, self._seen = book_of(kept.read(self.path)), seen
        except FileNotFoundError:
            return self._missing(begin=begin)
        except OSError as error:
            self._seen = None
            raise RosterUnavailable(_("{path} cannot be read: {why}.", path=self.path, why=error.strerror or error)) from error
        except kept.Damaged as damage:
            self._seen = None
            raise self._damaged(damage, locked=locked) from damage
        except Newer as error:
            self._seen = None
            raise RosterUnavailable(
                _("{path} was written by a newer Tableside; update this one. The file stays as it is.", path=self.path)
            ) from error
        return self._last

    def _missing(self, *, begin: bool) -> Book:
        self._seen = None
        aside = kept.last_aside(self.path)
        if aside is not None and not begin:
            raise RosterUnavailable(
                _("The officials' file was damaged and is kept as {aside}; {enter_again}.", aside=aside, enter_again=_(ENTER_AGAIN))
            )
        return Book(pins.new_salt(), pins.COST)

    def _damaged(self, damage: kept.Damaged, *, locked: bool) -> RosterUnavailable:
        try:
            if locked:
                aside = kept.set_aside(self.path)
            else:
                with kept.held(self.path.parent):
                    aside = _set_aside_if_still_damaged(self.path)
        except OSError as error:
            return RosterUnavailable(
                _(
                    "{path} is damaged ({damage}) and cannot be set aside ({why}).",
                    path=self.path,
                    damage=damage,
                    why=error.strerror or error,
                )
            )
        return RosterUnavailable(
            _(
                "The officials' file was damaged ({damage}) and is kept as {aside}; {enter_again}.",
                damage=damage,
                aside=aside,
                enter_again=_(ENTER_AGAIN),
            )
        )


def _set_aside_if_still_damaged(path: Path) -> Path:
    try:
        book_of(kept.read(path))
    except kept.Damaged:
        return kept.set_aside(path)
    except (FileNotFoundError, Newer):  # another process was here in between
        pass
    return kept.last_aside(path) or path


def check_text(text: str) -> None:
    """Make sure that a text is what could stand in an officials' file.

    Raises:
        Damaged: It is not, or a newer Tableside wrote it.
    """
    try:
        book_of(text)
    except Newer as error:
        raise kept.Damaged(_("a newer Tableside wrote it")) from error


class MemoryRoster:
    """The officials of a simulated match, with plain PINs and badges.

    As a scenario opens it: `[{"name": …, "role": …, "pin": …, "badge": …}]`.

    A scenario may use any PIN, `1111` too; two people with the same name or PIN are refused here as well.
    """

    def __init__(self, people: Iterable[dict[str, str]] = ()) -> None:
        """Enter everybody.

        Raises:
            CommandRefused: A name does not fit, or a name, a PIN or a badge is taken.
        """
        self._people: list[tuple[Official, str]] = []
        self._badges: dict[str, Official] = {}
        for person in people:
            official = Official(person["name"], Role(person["role"]))
            check_name_free(official, self.officials())
            if self.find(person["pin"]) is not None:
                raise pin_taken()
            self._people.append((official, person["pin"]))
            if "badge" in person:
                self._wear(official, badge_secret(person["badge"]))

    def _wear(self, official: Official, secret: str) -> None:
        if secret in self._badges:
            raise badge_taken()
        self._badges[secret] = official

    def find(self, secret: str) -> Official | None:
        """Whose PIN this is."""
        return next((official for official, pin in self._people if pin == secret), self._badges.get(secret))

    def officials(self) -> tuple[Official, ...]:
        """Everybody who was named at the opening."""
        return tuple(official for official, _ in self._people)
