"""Tables for tests: faces as the intake leaves them, written straight into the store."""

from __future__ import annotations

import json
from hashlib import md5
from typing import Any

from sqlalchemy import delete, insert, select

from kiosk.server.house import House, put
from kiosk.server.schema import device, face
from tests.server.devices import enrol

NAMES = (
    "Марија Ќосева",
    "Борис Гринько",
    "Ana Petrović",
    "Giorgi Kapanadze",
    "Олександра Ґудзь-Литвиненко",
    "Љубомир Џаковски",
    "Maximilian von Hohenlohe-Langenburg",
    "Li Wei",
    "Иван Щербаков",
    "Noémie Dùbois",
)


def playing(table: str, now_ms: int, **other: Any) -> dict[str, Any]:
    """A table in the middle of a game."""
    n = int("".join(filter(str.isdigit, table)) or 0)
    made = {
        "device": md5(table.encode()).hexdigest(),  # noqa: S324 - as `enrol` makes it
        "table": table,
        "online": True,
        "seen_ms": now_ms,
        "pending": 0,
        "practice": False,
        "match": f"match-{table}",
        "round": str(1 + n % 3),
        "players": {"left": [NAMES[n % 10]], "right": [NAMES[(n * 3 + 1) % 10]]},
        "length": 7,
        "rulebook": "ibgf",
        "score": {"left": n % 7, "right": n * 2 % 7},
        "game": 4,
        "crawford": n % 13 == 0,
        "cube": {"value": 2, "owner": (None, "left", "right")[n % 3], "offered_by": None, "in_play": n % 13 != 0},
        "phase": "playing",
        "turn": "left",
        "running": ["left"],
        "reserve_ms": {"left": 763_000 - 3_000 * (n % 200), "right": 801_200},
        "delay_ms": 12_000,
        "delay_left_ms": 4_300 if n % 2 else 0,
        "at_ms": now_ms,
        "flag": {"left": False, "right": False},
        "call": None,
        "paused": None,
        "standing": None,
        "clocks": "times",
        "conflict": False,
    }
    return {**made, **other}


def variety(count: int, now_ms: int) -> list[dict[str, Any]]:
    """A hall in which everything happens somewhere."""
    special: dict[int, dict[str, Any]] = {
        3: {"phase": "stopped", "running": []},
        4: {"online": False, "seen_ms": now_ms - 190_000},
        5: {"call": {"by": "left", "since_ms": now_ms - 83_000, "coming": None}, "phase": "stopped", "running": []},
        6: {"phase": "ended", "running": [], "score": {"left": 7, "right": 4}, "standing": {"left": "1", "right": "0"}, "turn": None},
        7: {"match": None, "players": None, "score": None, "cube": None, "reserve_ms": None, "phase": None, "running": []},
        8: {"call": {"by": "right", "since_ms": now_ms - 25_000, "coming": "Eva"}},
        9: {"turn": "right", "running": ["right"], "reserve_ms": {"left": 61_000, "right": 14_300}, "delay_left_ms": 0},
        10: {"clocks": "none"},
        11: {"clocks": "flags", "reserve_ms": {"left": 0, "right": 61_000}, "flag": {"left": True, "right": False}, "running": []},
        12: {"phase": "break", "running": []},
        14: {"reserve_ms": {"left": 7_265_000, "right": 6_000_000}, "turn": "right", "running": ["right"]},
        15: {"paused": {"by": "Eva", "why": "fire alarm", "since_ms": now_ms}, "running": []},
    }
    return [
        playing(str(n), now_ms, **special.get(n, {"turn": "right", "running": ["right"]} if n % 2 else {})) for n in range(1, count + 1)
    ]


def now_ms(house: House) -> int:
    return house.now_ns() // 1_000_000


def show(house: House, *faces: dict[str, Any]) -> None:
    """Put faces in the place of those of the same devices, and tell open pages."""
    with house.store.read() as connection:
        known = set(connection.execute(select(device.c.id)).scalars())
    for each in faces:
        if each["device"] not in known:
            assert enrol(house.store, each["table"], practice=each["practice"]) == each["device"]
    with house.store.write() as connection:
        for each in faces:
            connection.execute(delete(face).where(face.c.device == each["device"]))
            connection.execute(insert(face).values(device=each["device"], data=json.dumps(each), changed_ns=house.now_ns()))
    for each in faces:
        house.hub.publish("face", each["device"])


def pause(house: House, why: str | None) -> None:
    """Pause all clocks, or go on."""
    with house.store.write() as connection:
        put(connection, "pause", "" if why is None else json.dumps({"by": "Eva", "why": why, "since_ns": house.now_ns(), "tables": None}))
    house.hub.publish("pause", "")
