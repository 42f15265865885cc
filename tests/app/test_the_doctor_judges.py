"""Figures in, lines out: every part of the box, well and ill."""

from __future__ import annotations

import pytest

from kiosk.app.doctor import judge_box, judge_store, judge_world
from kiosk.app.doctor.figures import (
    ButtonFigures,
    DiskFigures,
    FolderFigures,
    FontFigures,
    HeatFigures,
    JournalFigures,
    PanelFigures,
    PartFigures,
    PinFigures,
    PowerFigures,
    ServerFigures,
    SyncFigures,
    TimeFigures,
    VersionFigures,
)
from kiosk.ports import Finding

MS = 1_000_000


def told(findings: list[Finding]) -> list[tuple[str, str]]:
    assert all(finding.advice for finding in findings if finding.grade == "wrong"), "what is wrong says what to do"
    return [(finding.grade, finding.figure) for finding in findings]


@pytest.mark.parametrize(
    ("folder", "grade", "figure"),
    [
        (FolderFigures("/data", True, True), "good", "/data"),
        (FolderFigures("/data", False, True), "good", "/data is not there yet; it is made at the first start"),
        (FolderFigures("/data", True, False), "wrong", "/data cannot be written"),
        (FolderFigures("/data", True, True, "overlay"), "wrong", "/data is on overlay and forgets everything at the next reboot"),
    ],
)
def test_a_data_folder_must_keep_what_is_written(folder: FolderFigures, grade: str, figure: str) -> None:
    assert told(judge_store.judge_folder(folder)) == [(grade, figure)]


@pytest.mark.parametrize(
    ("free", "grade", "figure"),
    [
        (20_000_000_000, "good", "20.0 GB of 29.0 GB free"),
        (499_999_999, "doubt", "500 MB of 29.0 GB free"),
        (99_999_999, "wrong", "100 MB of 29.0 GB free"),
        (512, "wrong", "1 kB of 29.0 GB free"),
    ],
)
def test_a_disk_must_have_room(free: int, grade: str, figure: str) -> None:
    assert told(judge_store.judge_disk(DiskFigures(29_000_000_000, free))) == [(grade, figure)]


@pytest.mark.parametrize(
    ("spent", "grade", "figure"),
    [
        ((4 * MS, 6 * MS, 300 * MS), "good", "median 6.0 ms, the longest of 3: 300 ms"),
        ((51 * MS,), "doubt", "median 51 ms, the longest of 1: 51 ms"),
        ((4 * MS, 4 * MS, 501 * MS), "doubt", "median 4.0 ms, the longest of 3: 501 ms"),
        ((4 * MS, 4 * MS, 2001 * MS), "wrong", "median 4.0 ms, the longest of 3: 2001 ms"),
        ((), "wrong", "not measured: the data folder cannot be written"),
    ],
)
def test_a_sync_is_good_slow_or_too_slow(spent: tuple[int, ...], grade: str, figure: str) -> None:
    assert told(judge_store.judge_sync(SyncFigures(spent))) == [(grade, figure)]


@pytest.mark.parametrize(
    ("journal", "grade", "figure"),
    [
        (JournalFigures("/j", False), "good", "/j: none yet; it is begun at the first start"),
        (JournalFigures("/j", True, 1, 4096), "good", "1 entry holds together, 5 kB"),
        (
            JournalFigures("/j", True, 20, 2_000_000, holder=77),
            "good",
            "20 entries hold together, 2 MB; in use by process 77, and only read here",
        ),
        (JournalFigures("/j", True, 2, 4096, "Row 3 was altered."), "wrong", "Row 3 was altered."),
    ],
)
def test_a_journal_must_hold_together(journal: JournalFigures, grade: str, figure: str) -> None:
    assert told(judge_store.judge_journal(journal)) == [(grade, figure)]


LINES = (("left", 17, ""), ("right", 27, ""))
HELD = (("left", 17, "lg"), ("right", 27, "lg"))


@pytest.mark.parametrize(
    ("pins", "grade", "figure"),
    [
        (PinFigures(simulated=True), "good", "simulated buttons, as --simulate asks for"),
        (PinFigures(fault="gpiod is not usable."), "wrong", "gpiod is not usable."),
        (PinFigures(), "wrong", "no Raspberry Pi GPIO chip was found (there is no chip at all)"),
        (
            PinFigures(others=("gpiochip0: Permission denied",)),
            "wrong",
            "no Raspberry Pi GPIO chip was found (gpiochip0: Permission denied)",
        ),
        (
            PinFigures(False, "/dev/gpiochip0", "pinctrl-rp1", (), LINES),
            "good",
            "pinctrl-rp1 (/dev/gpiochip0), Left button: GPIO17, Right button: GPIO27",
        ),
    ],
)
def test_the_pins_must_be_there(pins: PinFigures, grade: str, figure: str) -> None:
    assert told(judge_box.judge_pins(pins)) == [(grade, figure)]


def test_a_running_table_may_hold_its_pins_and_nobody_else() -> None:
    def grade(lines: tuple[tuple[str, int, str], ...], *, runs: bool) -> str:
        return judge_box.judge_pins(PinFigures(False, "/dev/gpiochip0", "pinctrl-rp1", (), lines, table_runs=runs))[0].grade

    assert grade(HELD, runs=True) == "good"
    assert grade(HELD, runs=False) == "wrong"
    assert grade((("left", 17, "w1"), ("right", 27, "lg")), runs=True) == "wrong"


@pytest.mark.parametrize(
    ("button", "grade", "figure"),
    [
        (ButtonFigures("left", 5, 10, 24, 2_400_000), "good", "5 presses, 24 edges, longest bounce 2.4 ms"),
        (ButtonFigures("left", 1, 2, 2, 0, True), "good", "1 press, 2 edges, longest bounce 0.0 ms; simulated, pressed by the doctor"),
        (ButtonFigures("left", 5, 10, 24, 30 * MS), "doubt", "5 presses, 24 edges, longest bounce 30 ms"),
        (ButtonFigures("left", 6, 10, 24, 31 * MS), "wrong", "6 presses, 24 edges, longest bounce 31 ms"),
        (ButtonFigures("left", 0, 0, 0, 0), "wrong", "no press came"),
        (ButtonFigures("left", 0, 0, 0, 0, fault="busy"), "wrong", "busy"),
    ],
)
def test_a_button_must_close_and_not_bounce_for_long(button: ButtonFigures, grade: str, figure: str) -> None:
    (finding,) = judge_box.judge_button(button)
    assert (finding.what, *told([finding])[0]) == ("Left button", grade, figure)


@pytest.mark.parametrize(
    ("part", "grade", "figure"),
    [
        (PartFigures("printer", "Receipt printer"), "off", "not configured"),
        (PartFigures("printer", "Receipt printer", "usb 04b8:0202"), "good", "usb 04b8:0202"),
        (PartFigures("printer", "Receipt printer", "usb 04b8:0202", "paper is low"), "good", "paper is low"),
        (PartFigures("printer", "Receipt printer", "usb 04b8:0202", fault="not plugged in"), "wrong", "not plugged in"),
    ],
)
def test_a_part_is_at_fault_only_where_it_is_configured(part: PartFigures, grade: str, figure: str) -> None:
    assert told(judge_box.judge_part(part)) == [(grade, figure)]


@pytest.mark.parametrize(("celsius", "grade"), [(None, "off"), (69.9, "good"), (70.0, "doubt"), (79.9, "doubt"), (80.0, "wrong")])
def test_a_box_must_not_be_hot(celsius: float | None, grade: str) -> None:
    assert judge_box.judge_heat(HeatFigures(celsius))[0].grade == grade


@pytest.mark.parametrize(
    ("power", "grade", "figure"),
    [
        (PowerFigures(False), "off", "not a Raspberry Pi: it says nothing of its supply"),
        (PowerFigures(True, None), "doubt", "the firmware does not answer"),
        (PowerFigures(True, 0), "good", "enough since switching on (0x0)"),
        (
            PowerFigures(True, 0x50005),
            "wrong",
            (
                "the supply's voltage is too low now; the processor is slowed down now; the supply's voltage was too low "
                "since switching on; the processor was slowed down since switching on (0x50005)"
            ),
        ),
        (PowerFigures(True, 0x10000), "wrong", "the supply's voltage was too low since switching on (0x10000)"),
        (
            PowerFigures(True, 0xE000A),
            "doubt",
            (
                "the processor's speed is capped now; the soft limit of temperature is reached now; the processor's speed was "
                "capped since switching on; the processor was slowed down since switching on; the soft limit of temperature was reached "
                "since switching on (0xe000a)"
            ),
        ),
        (PowerFigures(True, 0x20), "doubt", "unknown bit 5 (0x20)"),
    ],
)
def test_every_bit_of_the_supply_is_put_into_words(power: PowerFigures, grade: str, figure: str) -> None:
    assert told(judge_box.judge_power(power)) == [(grade, figure)]


def test_heat_alone_asks_for_air_and_low_voltage_for_a_supply() -> None:
    assert "supply" in judge_box.judge_power(PowerFigures(True, 0x10004))[0].advice
    assert "air" in judge_box.judge_power(PowerFigures(True, 0x4))[0].advice


@pytest.mark.parametrize(
    ("time", "grade", "figure"),
    [
        (TimeFigures(True, "chrony", "rtc-ds1307", "now"), "good", "now, kept by chrony; battery clock rtc-ds1307"),
        (TimeFigures(True, "", "", "now"), "good", "now, kept by –; no battery clock"),
        (TimeFigures(False, "", "rtc-ds1307", "now"), "doubt", "now, not synchronised; battery clock rtc-ds1307"),
        (TimeFigures(False, "", "", "now"), "doubt", "now, not synchronised; no battery clock"),
    ],
)
def test_a_date_is_right_or_doubtful(time: TimeFigures, grade: str, figure: str) -> None:
    assert told(judge_world.judge_time(time)) == [(grade, figure)]


URL = "https://10.0.0.5:8443"


@pytest.mark.parametrize(
    ("server", "lines"),
    [
        (ServerFigures(), [("off", "none was joined")]),
        (
            ServerFigures(URL, "Open", 12 * MS, 300),
            [("good", f"Open at {URL}, answers in 12 ms"), ("good", "the one that was joined, good for 300 days")],
        ),
        (
            ServerFigures(URL, "Open", 600 * MS, 13),
            [("doubt", f"Open at {URL}, answers in 600 ms"), ("doubt", "the one that was joined, good for 13 days")],
        ),
        (ServerFigures(URL, "Open", 1 * MS, -1), [("good", f"Open at {URL}, answers in 1.0 ms"), ("doubt", "ended 1 day ago")]),
        (
            ServerFigures(URL, "Open", 1 * MS, None),
            [("good", f"Open at {URL}, answers in 1.0 ms"), ("doubt", "the one that was joined; when it ends cannot be read")],
        ),
        (ServerFigures(URL, "Open", fault="Nobody answers."), [("wrong", "Nobody answers.")]),
    ],
)
def test_a_server_that_was_joined_must_answer(server: ServerFigures, lines: list[tuple[str, str]]) -> None:
    assert told(judge_world.judge_server(server)) == lines


@pytest.mark.parametrize(
    ("panel", "grade", "figure"),
    [
        (
            PanelFigures("DSI-1", 800, 480, (152, 91), "usual", 63),
            "good",
            "DSI-1: 800×480, 152×91 mm (as is usual for its pixels), targets 12.0 mm",
        ),
        (
            PanelFigures("HDMI-A-1", 1280, 800, (217, 136), "EDID", 71),
            "good",
            "HDMI-A-1: 1280×800, 217×136 mm (it says so itself), targets 12.0 mm",
        ),
        (PanelFigures("DSI-1", 800, 480, (76, 46), "inch", 64), "doubt", "DSI-1: 800×480, 76×46 mm (by kiosk.toml), targets 6.1 mm"),
        (PanelFigures("DSI-1", 640, 480, None, "", 60), "doubt", "DSI-1: 640×480, its size is not known"),
    ],
)
def test_a_panel_must_be_large_enough_for_fingers(panel: PanelFigures, grade: str, figure: str) -> None:
    assert told(judge_world.judge_panel((panel,))) == [(grade, figure)]


def test_no_panel_is_no_fault() -> None:
    assert told(judge_world.judge_panel(())) == [("off", "none is connected")]


def test_letters_that_are_missing_are_named() -> None:
    good, wrong = FontFigures((), 2, ("en", "ka")), FontFigures((("ka", "აბ"),), 2, ("en", "ka"))
    assert told(judge_world.judge_fonts(good)) == [("good", "every letter of en, ka in 2 faces")]
    assert told(judge_world.judge_fonts(wrong)) == [("wrong", "ka lacks აბ")]


def test_versions_are_told_in_two_lines() -> None:
    versions = VersionFigures("0.1.0", "3.11.7", "2.32", "3.40", "6.6", "Debian", "Raspberry Pi 4")
    assert told(judge_world.judge_versions(versions)) == [
        ("good", "Tableside 0.1.0, Python 3.11.7, SDL 2.32, SQLite 3.40, Linux 6.6"),
        ("good", "Raspberry Pi 4, Debian"),
    ]
