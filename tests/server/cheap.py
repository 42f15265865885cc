"""Passwords that cost little: hundreds of them are worked on in the tests."""

from __future__ import annotations

from kiosk.server import people

REAL_COST = dict(people.COST)
people.COST.update(time_cost=1, memory_cost=64)
