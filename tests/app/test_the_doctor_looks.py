"""Each look at a box that is laid out as files."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from kiosk.app import membership
from kiosk.app.config import DEVICE, KEYS, Config
from kiosk.app.doctor import look_box, look_store, look_world
from kiosk.app.doctor.checks import checks
from kiosk.app.doctor.figures import (
    FolderFigures,
    HeatFigures,
    JournalFigures,
    PanelFigures,
    PartFigures,
    PinFigures,
    PowerFigures,
    ServerFigures,
)
from kiosk.app.doctor.look_devices import DEVICES, look_at_buttons, look_at_device
from kiosk.journal import open_journal
from kiosk.ports import Record
from kiosk.sync.transport import Connection


def laid_out(root: Path, **files: str) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


PI = {look_box.MODEL: "Raspberry Pi 4 Model B Rev 1.4\0"}


def test_a_data_folder_is_looked_at_and_not_made(tmp_path: Path) -> None:
    assert look_store.look_at_folder(tmp_path) == FolderFigures(str(tmp_path), True, True)
    there = tmp_path / "not" / "yet"
    assert look_store.look_at_folder(there) == FolderFigures(str(there), False, True)
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_its_place_is_no_data_folder(tmp_path: Path) -> None:
    laid_out(tmp_path, data="x")
    assert not look_store.look_at_folder(tmp_path / "data").writable
    assert not look_store.look_at_folder(tmp_path / "data" / "deeper").writable


def test_a_sync_is_measured_and_leaves_nothing(tmp_path: Path) -> None:
    found = look_store.look_at_sync(tmp_path / "not-yet", trials=3)
    assert len(found.spent_ns) == 3
    assert all(spent > 0 for spent in found.spent_ns)
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_nothing_is_measured(tmp_path: Path) -> None:
    assert look_store.look_at_sync(laid_out(tmp_path, data="x") / "data").spent_ns == ()


def test_the_disk_beneath_is_measured(tmp_path: Path) -> None:
    disk = look_store.look_at_disk(tmp_path / "not-yet")
    assert 0 < disk.free <= disk.total


def test_a_journal_in_use_is_read_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert look_store.look_at_journal(path) == JournalFigures(str(path), exists=False)
    writer, _notices = open_journal(path, boot="b", wall=lambda: (0, False))
    try:
        writer.append([Record("turn_ended", "{}", 1)])
        assert writer.flush(5)
        found = look_store.look_at_journal(path)
    finally:
        writer.close()
    assert (found.rows, found.fault, found.holder) == (1, "", os.getpid())


def test_the_warmest_sensor_counts(tmp_path: Path) -> None:
    assert look_box.look_at_heat(tmp_path) == HeatFigures(None)
    zones = {f"sys/class/thermal/thermal_zone{n}/temp": text for n, text in enumerate(["48312\n", "61200\n", "broken"])}
    assert look_box.look_at_heat(laid_out(tmp_path, **zones)) == HeatFigures(61.2)


def test_a_computer_that_is_no_pi_is_not_asked_for_its_supply(tmp_path: Path) -> None:
    assert look_box.look_at_power(laid_out(tmp_path, **{look_box.THROTTLED: "50005"})) == PowerFigures(pi=False)


def test_the_kernel_says_what_the_firmware_says(tmp_path: Path) -> None:
    assert look_box.look_at_power(laid_out(tmp_path, **PI, **{look_box.THROTTLED: "50005\n"})) == PowerFigures(True, 0x50005)


@pytest.mark.parametrize(
    ("script", "word"), [("echo throttled=0x20002", 0x20002), ("echo 'VCHI initialization failed'; exit 1", None), ("sleep 30", None)]
)
def test_else_the_firmware_is_asked_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, word: int | None) -> None:
    command = laid_out(tmp_path, **PI, **{"bin/vcgencmd": f"#!/bin/sh\n{script}\n"}) / "bin" / "vcgencmd"
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}:/bin:/usr/bin")
    monkeypatch.setattr(look_box, "ANSWER_S", 0.2 if "sleep" in script else 60)
    assert look_box.look_at_power(tmp_path) == PowerFigures(True, word)


def test_a_firmware_that_cannot_be_asked_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert look_box.look_at_power(laid_out(tmp_path, **PI)) == PowerFigures(True, None)
    (tmp_path / "vcgencmd").mkdir()
    assert look_box.look_at_power(tmp_path).word is None


@pytest.mark.parametrize(
    ("trusted", "mark", "source"), [(True, "timesync", "systemd-timesyncd"), (True, "", "the kernel"), (False, "", "")]
)
def test_who_keeps_the_date_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trusted: bool, mark: str, source: str) -> None:  # noqa: FBT001
    laid_out(tmp_path, **{"sys/class/rtc/rtc0/name": "rtc-ds1307 1-0068\n", "run/timesync/synchronized": ""})
    monkeypatch.setattr(look_box, "date_trusted", lambda: trusted)
    monkeypatch.setattr(look_box, "SYNCED", (tmp_path / "run" / mark / "synchronized",))
    found = look_box.look_at_time(tmp_path)
    assert (found.synchronised, found.source, found.battery) == (trusted, source, "rtc-ds1307")


def test_a_battery_clock_without_a_name_has_its_number(tmp_path: Path) -> None:
    (tmp_path / "sys/class/rtc/rtc1").mkdir(parents=True)
    assert look_box.look_at_time(tmp_path).battery == "rtc1"


def test_simulated_pins_are_not_looked_for() -> None:
    assert look_box.look_at_the_pins(simulated=True, table_runs=False) == PinFigures(simulated=True)


def test_real_pins_are_looked_for() -> None:
    found = look_box.look_at_the_pins(simulated=False, table_runs=True)
    assert not found.simulated
    assert found.table_runs


def test_connected_panels_are_found_with_their_size(tmp_path: Path) -> None:
    drm = "sys/class/drm/"
    laid_out(
        tmp_path,
        **{f"{drm}card0-DSI-1/status": "connected\n", f"{drm}card0-DSI-1/modes": "800x480\n", f"{drm}card0-DSI-1/edid": ""},
        **{f"{drm}card0-HDMI-A-1/status": "disconnected\n", f"{drm}card0-HDMI-A-1/modes": ""},
        **{f"{drm}card0-HDMI-A-2/status": "connected\n", f"{drm}card0-HDMI-A-2/modes": "1920x1080i\n1280x720\n"},
    )
    usual, unknown = look_box.look_at_panels(None, tmp_path)
    assert usual == PanelFigures("DSI-1", 800, 480, (152, 91), "usual", 63)
    assert (unknown.w, unknown.h, unknown.mm) == (1920, 1080, None)
    assert look_box.look_at_panels(15.6, tmp_path)[1].mm == (345, 194)


def test_a_panels_own_word_counts_more_than_the_usual_and_less_than_the_configured() -> None:
    edid = bytearray(128)
    edid[:8], edid[21], edid[22] = bytes.fromhex("00ffffffffffff00"), 16, 9
    edid[127] = -sum(edid) % 256
    assert look_box.panel_figures("DSI-1", 800, 480, None, bytes(edid)).mm == (160, 90)
    assert look_box.panel_figures("DSI-1", 800, 480, 5.0, bytes(edid)).source == "inch"


def test_the_system_is_named(tmp_path: Path) -> None:
    laid_out(tmp_path, **{"etc/os-release": 'NAME=Debian\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n'})
    assert look_box.system_name(tmp_path) == f"Debian GNU/Linux 12 (bookworm) {os.uname().machine}"


def test_versions_and_letters_are_found() -> None:
    found = look_world.look_at_versions()
    assert all((found.tableside, found.python, found.sdl, found.sqlite, found.kernel, found.system))
    assert look_world.look_at_fonts().lacking == ()


# ── The server ───────────────────────────────────────────────────────────────
JOINED = membership.Membership(
    url="https://10.0.0.5:8443",
    fingerprint="f" * 64,
    device="d" * 32,
    secret="5" * 64,
    server="a" * 32,
    key="k" * 64,
    table="4",
    event="Open",
)


def joined(folder: Path) -> Path:
    membership.save(folder, JOINED)
    return folder


def der() -> bytes:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    begins, last = datetime(2020, 1, 1, tzinfo=UTC), datetime(2120, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, begins, last)
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


def answering(monkeypatch: pytest.MonkeyPatch, server: str) -> list[str]:
    asked: list[str] = []

    def ask(self: Connection, method: str, path: str, **_limits: object) -> bytes:
        self.certificate = der()
        asked.append(f"{method} {path}")
        return f'{{"tableside":1,"server":"{server}","name":"Open 2026","key":"{"b" * 64}"}}'.encode()

    monkeypatch.setattr(Connection, "ask", ask)
    return asked


def test_a_table_that_belongs_to_no_server_asks_nobody(tmp_path: Path) -> None:
    assert look_world.look_at_server(tmp_path) == ServerFigures()


def test_a_server_that_answers_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answering(monkeypatch, JOINED.server)
    found = look_world.look_at_server(joined(tmp_path))
    assert (found.url, found.event, found.fault) == (JOINED.url, "Open 2026", "")
    assert found.trip_ns is not None
    assert found.days is not None
    assert found.days > 365
    assert len(asked) == 3


def test_another_server_in_its_place_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, "0" * 32)
    assert "Another server answers" in look_world.look_at_server(joined(tmp_path)).fault


def test_a_server_that_is_gone_is_told(tmp_path: Path) -> None:
    membership.save(tmp_path, membership.Membership(**{**{f: getattr(JOINED, f) for f in JOINED.__slots__}, "url": "https://127.0.0.1:1"}))
    assert "Nobody answers" in look_world.look_at_server(tmp_path).fault


def test_what_is_kept_of_a_server_and_damaged_is_told(tmp_path: Path) -> None:
    laid_out(tmp_path, **{membership.SERVER: "{"})
    assert "damaged" in look_world.look_at_server(tmp_path).fault
    membership.save(tmp_path, membership.Membership(**{**{f: getattr(JOINED, f) for f in JOINED.__slots__}, "url": "ftp://x"}))
    assert "address" in look_world.look_at_server(tmp_path).fault


# ── Serial devices ───────────────────────────────────────────────────────────
def test_a_device_that_is_not_configured_is_not_looked_for(tmp_path: Path) -> None:
    assert look_at_device(Config(tmp_path, tmp_path), "printer") == PartFigures("printer", "Receipt printer")


def test_a_device_that_is_configured_and_not_there_is_missed(tmp_path: Path) -> None:
    found = look_at_device(Config(tmp_path, tmp_path, printer=str(tmp_path / "ttyUSB0")), "printer")
    assert found.fault == f"{tmp_path}/ttyUSB0 is not plugged in"


def test_a_device_that_is_there_is_found(tmp_path: Path) -> None:
    path = laid_out(tmp_path, ttyUSB0="") / "ttyUSB0"
    found = look_at_device(Config(tmp_path, tmp_path, badges=str(path)), "badges")
    assert (found.detail, found.fault) == (str(path), "")


def test_a_device_that_this_user_may_not_use_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = laid_out(tmp_path, ttyUSB0="") / "ttyUSB0"
    monkeypatch.setattr("os.access", lambda *_: False)
    assert "join the group dialout" in look_at_device(Config(tmp_path, tmp_path, badges=str(path)), "badges").fault


def test_a_button_box_is_looked_for_in_place_of_pins(tmp_path: Path) -> None:
    path = tmp_path / "ttyACM0"
    box = Config(tmp_path, tmp_path, buttons="serial", buttons_device=str(path))
    assert [each.name for each in checks(box, simulate=False)][7] == "buttons_device"
    assert [each.name for each in checks(box, simulate=True)][7] == "pins"
    assert look_at_buttons(box).fault == f"{path} is not plugged in"
    path.touch()
    assert look_at_buttons(box) == PartFigures("buttons_device", "Button box", str(path), str(path))


def test_a_keypad_is_looked_for_by_its_keys(tmp_path: Path) -> None:
    keys = {"buttons": "evdev", "buttons_left": "KEY_A", "buttons_right": "KEY_L"}
    assert look_at_buttons(Config(tmp_path, tmp_path, buttons_device="no such keypad", **keys)).fault.endswith("is found by itself.")
    assert "is not plugged in" in look_at_buttons(Config(tmp_path, tmp_path, buttons_device=str(tmp_path / "event9"), **keys)).fault


def test_every_serial_device_of_the_configuration_is_looked_for() -> None:
    assert {key for key, kind in KEYS.items() if kind == DEVICE} == set(DEVICES)


def test_a_table_that_asks_knows_that_it_runs(tmp_path: Path) -> None:
    config = Config(tmp_path, tmp_path)
    panel = look_box.panel_figures("window", 800, 480, None)
    asked = {each.name: each for each in checks(config, simulate=False, panels=(panel,))}
    assert asked["pins"].go().measured.table_runs
    assert asked["panel"].go().measured == (panel,)
    assert not {each.name: each for each in checks(config, simulate=False)}["pins"].go().measured.table_runs
