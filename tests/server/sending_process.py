"""`python -m tests.server.sending_process DATABASE DEVICE …`: an intake in a process of its own, to which its devices send 400 rows each.

Each receipt is told on standard output as soon as there is one, so that whoever kills this process knows what must be there.
"""

from __future__ import annotations

import asyncio
import json
import sys

from kiosk.server.hub import LocalHub
from kiosk.server.intake import Intake
from kiosk.server.store import Store
from tests.server.devices import FakeKeys, Sender, plain_rows

STEP = 8


async def _send(sender: Sender) -> None:
    for first in range(1, len(sender.rows) + 1, STEP):
        answer = await sender.send(first, first + STEP - 1)
        seq = 0 if answer.receipt is None else answer.receipt.seq
        print(json.dumps({"device": sender.device, "verdict": answer.verdict, "seq": seq}), flush=True)


async def _all(senders: list[Sender]) -> None:
    await asyncio.gather(*[_send(sender) for sender in senders])


def main() -> None:
    """Send, and end."""
    store = Store.open(sys.argv[1])
    intake = Intake(store, LocalHub(), FakeKeys(), lambda: 1)
    rows = plain_rows(400)
    asyncio.run(_all([Sender(intake, device, rows) for device in sys.argv[2:]]))
    intake.close()
    store.close()


if __name__ == "__main__":
    main()
