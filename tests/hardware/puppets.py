"""A source whose health and levels are set by hand, and a keeper in virtual time over a line of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hardware import HardwareFault, SourceHealth, SourceKeeper

if TYPE_CHECKING:
    from hardware import Line, Notice
    from hardware.edges import Deliver

MS, S = 1_000_000, 1_000_000_000


@dataclass
class Puppet:
    """A source whose health and levels are set by hand."""

    lost: int = 0
    strange: int = 0
    alive: bool = True
    fault: str | None = None
    by_arrival: int = 0
    mends_itself: bool = False
    contacts: dict[Line, bool] = field(default_factory=lambda: {"left": False, "right": False})
    unreadable: bool = False
    closed: int = 0
    deliver: Deliver = print

    def start(self, deliver: Deliver) -> None:
        self.deliver = deliver

    def levels(self) -> dict[Line, bool]:
        if self.unreadable:
            raise HardwareFault("The pins cannot be read.")
        return dict(self.contacts)

    def health(self) -> SourceHealth:
        return SourceHealth(self.alive, self.lost, self.strange, self.fault, self.by_arrival, self.mends_itself)

    def close(self) -> None:
        self.closed += 1


class Stage:
    """A keeper in virtual time over a line of puppets."""

    def __init__(self, **made: int) -> None:
        self.now = 0
        self.built: list[Puppet] = []
        self.refusals: list[Exception] = []
        self.woken = 0
        self.keeper = SourceKeeper(self.build, now_ns=lambda: self.now, wake=self.wake, **made)
        self.keeper.start(0)

    def build(self) -> Puppet:
        if self.refusals:
            raise self.refusals.pop(0)
        self.built.append(Puppet(contacts=dict(self.built[-1].contacts)) if self.built else Puppet())
        return self.built[-1]

    def wake(self) -> None:
        self.woken += 1

    @property
    def puppet(self) -> Puppet:
        return self.built[-1]

    def check(self, ms: float) -> list[Notice]:
        self.now = round(ms * MS)
        return self.keeper.check(self.now)

    def codes(self, ms: float) -> list[str]:
        return [notice.code for notice in self.check(ms)]
