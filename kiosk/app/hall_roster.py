"""The event's officials beside the table's own: fetched from the server, kept for days without network, hashes only.

The two stand in two files, so that what comes from the server never touches what was entered here, and leaving a server leaves the table as
it was. Where both know a PIN, it is the event's official who signs in; who is called the same in both is listed once, as the event has him.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from kiosk.app import kept, membership
from kiosk.app.logs import log
from kiosk.app.roster import FileRoster, check_text
from kiosk.domain.errors import PeerError, RosterUnavailable
from kiosk.journal.store import make_folder
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kiosk.domain.officials import Official


class JoinedRoster:
    """Who can sign in at a table that may belong to a server."""

    def __init__(self, own: FileRoster, folder: Path) -> None:
        """Nothing is read yet.

        Args:
            own: The officials who were entered here.
            folder: The data folder, where the event's are kept.
        """
        self._own = own
        self._hall = FileRoster(folder / membership.HALL)
        self._told = ""

    def find(self, secret: str) -> Official | None:
        """Whose PIN this is."""
        return self.finder(secret)()

    def finder(self, secret: str) -> Callable[[], Official | None]:
        """What finds out whose PIN this is among those known now; it takes long, and may run on any thread.

        Raises:
            RosterUnavailable: Who is known cannot be read.
        """
        if not self._event():
            return self._own.finder(secret)
        theirs = self._hall.finder(secret)
        try:
            ours = self._own.finder(secret)
        except RosterUnavailable:  # the event's officials are known all the same
            return theirs

        def both() -> Official | None:
            first, second = theirs(), ours()  # always both: how long it takes does not tell whose it was
            return first or second

        return both

    def officials(self) -> tuple[Official, ...]:
        """Everybody who can sign in; cheap enough for every frame."""
        event = self._event()
        try:
            own = self._own.officials()
        except RosterUnavailable:
            if not event:
                raise
            own = ()
        return event + tuple(one for one in own if not any(other.is_called(one.name) for other in event))

    def fault(self) -> str | None:
        """A sentence while the table's own file cannot be read or was set aside, else None."""
        return self._own.fault()

    def wants_first(self) -> bool:
        """Whether nobody is entered, so that the start asks for the first official's PIN."""
        return not self._event() and self._own.wants_first()

    def add(self, official: Official, secret: str) -> None:
        """Enter an official of this table's own."""
        self._own.add(official, secret)

    def _event(self) -> tuple[Official, ...]:
        try:
            return self._hall.officials()
        except RosterUnavailable as error:  # it is fetched anew
            if str(error) != self._told:
                self._told = str(error)
                log.error("%s", error)
            return ()


def version(folder: Path) -> str:
    """The digest of the event's officials as they are kept here; empty: there are none."""
    try:
        return hashlib.sha256((folder / membership.HALL).read_bytes()).hexdigest()
    except OSError:
        return ""


def keep(folder: Path, text: bytes) -> None:
    """Keep the event's officials in the place of those that were kept before.

    Args:
        folder: The data folder.
        text: As the server sends it; empty: there are none any more.

    Raises:
        PeerError: It is no roster.
        JoinUnavailable: It cannot be written.
    """
    path = folder / membership.HALL
    try:
        if not text:
            path.unlink(missing_ok=True)
            return
        if hashlib.sha256(text).hexdigest() == version(folder):
            return
        plain = text.decode("utf-8")
        check_text(plain)
        make_folder(folder)
        with kept.held(folder):
            kept.write(path, plain)
    except (kept.Damaged, UnicodeDecodeError) as damage:
        raise PeerError(_("The server's officials cannot be read ({damage}); those known before stay.", damage=damage)) from damage
    except OSError as error:
        raise membership.unavailable(path, error) from error
