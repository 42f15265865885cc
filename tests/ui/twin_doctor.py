"""A doctor who has found what a moment wants, and remembers what he was asked."""

from __future__ import annotations

from dataclasses import dataclass, field

from kiosk.domain.types import Pair
from kiosk.ports import Finding
from kiosk.ui.doctor import Trial, Tried

MS = 1_000_000

WELL = (
    Finding("data", "Data folder", "/var/lib/tableside", "good"),
    Finding("disk", "Free disk", "21.3 GB of 29.0 GB free", "good"),
    Finding("sync", "Sync of an entry", "median 6.2 ms, the longest of 20: 180 ms", "good"),
    Finding("journal", "Journal", "4211 entries hold together, 3 MB; in use by process 612, and only read here", "good"),
    Finding("time", "Date and time", "2026-05-30 14:03:22 CEST, kept by systemd-timesyncd; battery clock rtc-ds1307", "good"),
    Finding("power", "Power supply", "enough since switching on (0x0)", "good"),
    Finding("temperature", "Temperature", "52 °C", "good"),
    Finding("pins", "Pins", "pinctrl-rp1 (/dev/gpiochip0), Left button: GPIO17, Right button: GPIO27; held by lg", "good"),
    Finding("panel", "Display panel", "DSI-1: 800×480, 152×91 mm (as is usual for its pixels), targets 12.0 mm", "good"),
    Finding("fonts", "Letters", "every letter of en, ru, uk, mk, ka in 2 faces", "good"),
    Finding("server", "Tournament server", "Open 2026 at https://192.168.1.20:8443, answers in 12 ms", "good"),
    Finding("certificate", "Its certificate", "the one that was joined, good for 300 days", "good"),
    Finding("versions", "Versions", "Tableside 0.1.0, Python 3.13.5, SDL 2.32.10, SQLite 3.46.1, Linux 6.12.34", "good"),
    Finding("system", "Computer", "Raspberry Pi 5 Model B Rev 1.0, Debian GNU/Linux 13 (trixie) aarch64", "good"),
)

ILL = (
    *WELL[:4],
    Finding(
        "time",
        "Date and time",
        "2026-05-30 14:03:22 CEST, not synchronised; no battery clock",
        "doubt",
        "Connect a network, or fit a battery clock.",
    ),
    Finding(
        "power",
        "Power supply",
        "the supply's voltage is too low now; the supply's voltage was too low since switching on (0x10001)",
        "wrong",
        "Take the board's own supply (5.1 V, 3 A or more) with a short thick cable, and nothing else on its USB sockets.",
    ),
    *WELL[6:10],
    Finding("server", "Tournament server", "none was joined", "off"),
    *WELL[12:],
)

LAMPS = (
    Trial("lamp_left", "Left lamp", "Did the left lamp shine?"),
    Trial("lamp_right", "Right lamp", "Did the right lamp shine?"),
    Trial("sound_press", "Sound of a press", "Was the sound heard?"),
    Trial("sound_alert", "Sound of an alert", "Was the sound heard?"),
)


@dataclass
class TwinDoctor:
    found: tuple[Finding, ...] = WELL
    working: bool = False
    seen: Pair[Tried] = field(default_factory=lambda: Pair(Tried(), Tried()))
    parts: tuple[Trial, ...] = LAMPS
    asked: list[str] = field(default_factory=list)

    def findings(self) -> tuple[Finding, ...]:
        return self.found

    def busy(self) -> bool:
        return self.working

    def buttons(self) -> Pair[Tried]:
        return self.seen

    def trials(self) -> tuple[Trial, ...]:
        return self.parts

    def count(self) -> int:
        return len(self.asked)

    def begin(self) -> None:
        self.asked.append("begin")
        self.working = True

    def tried(self, name: str) -> None:
        self.asked.append(name)

    def confirm(self, finding: Finding) -> None:
        self.asked.append(f"{finding.name}: {finding.grade}")
        self.found = (*self.found, finding)


WAITING = (*WELL[:3], *(Finding(each.name, each.what, "is being looked at", "waits") for each in WELL[3:12]))
PRESSED = Pair(Tried(4, 26, 2_400_000, 3_100_000, down=True), Tried(3, 41, 38 * MS, 38 * MS))
