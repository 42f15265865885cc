from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from box import PACKAGES, SYSTEMD, Box

SCRIPTS = sorted(path for path in SYSTEMD.iterdir() if path.read_bytes().startswith((b"#!", b"# shellcheck")))


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def _done(box: Box, *words: str, **environment: str) -> str:
    done = box.install(*words, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _refused(box: Box, *words: str, code: int = 1, **environment: str) -> str:
    done = box.install(*words, **environment)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stderr


# ── A fresh box ──────────────────────────────────────────────────────────────
def test_one_command_makes_a_table_of_a_fresh_box(box: Box) -> None:
    said = _done(box)
    assert box.current == "1.0.0"
    assert box.runs()
    assert "the table runs" in said
    units = {path.name for path in (box.root / "etc/systemd/system").glob("*.service")}
    assert units == {"tableside-kiosk.service", "tableside-prepare.service", "tableside-join.service"}
    assert "systemctl enable --quiet tableside-kiosk.service tableside-prepare.service tableside-join.service" in box.log
    folders = ("etc/sysusers.d", "etc/tmpfiles.d", "etc/systemd/system.conf.d")
    for made in (*(f"{folder}/tableside.conf" for folder in folders), "etc/udev/rules.d/70-tableside.rules"):
        assert (box.root / made).is_file()
    assert (box.root / "usr/local/bin/kiosk").stat().st_mode & 0o111
    assert box.log.index("systemctl daemon-reload") < box.log.index("systemctl restart tableside-kiosk.service")


def test_the_screen_is_the_tables_alone(box: Box) -> None:
    _done(box)
    assert "systemctl set-default multi-user.target" in box.log
    assert "systemctl disable getty@tty1.service" in box.log


def test_a_server_is_started_only_once_it_was_made(box: Box) -> None:
    assert "kiosk-server init" in _done(box, "server")
    assert not box.runs("server")
    assert "systemctl enable --quiet tableside-server.service tableside-backup.timer" in box.log
    assert not any("getty" in line for line in box.log)
    (box.root / "var/lib/tableside-server").mkdir(parents=True)
    (box.root / "var/lib/tableside-server/server.id").touch()
    assert "the server runs" in _done(box)
    assert box.runs("server")


def test_a_part_that_comes_later_leaves_the_other_one(box: Box) -> None:
    _done(box)
    _done(box, "server")
    assert box.runs()
    assert {"tableside-kiosk.service", "tableside-server.service", "tableside-backup.timer"} <= {
        path.name for path in (box.root / "etc/systemd/system").iterdir()
    }
    assert "[discovery,server]" in [line for line in box.log if line.startswith("pip")][-1]


def test_the_systems_own_library_of_pins_is_used_where_there_is_one(box: Box) -> None:
    packages = box.root / "usr/lib/python3/dist-packages"
    packages.mkdir(parents=True)
    for name in ("lgpio.py", "_lgpio.cpython-313-aarch64-linux-gnu.so"):
        (packages / name).write_text(name, encoding="ascii")
    _done(box)
    assert "python3-lgpio" in " ".join(box.log)
    borrowed = box.opt / "1.0.0/lib"
    assert {path.name for path in borrowed.iterdir()} == {"lgpio.py", "_lgpio.cpython-313-aarch64-linux-gnu.so"}
    assert (borrowed / "lgpio.py").read_text(encoding="ascii") == "lgpio.py"
    assert 'buttons = "lgpio"' in (box.root / "etc/tableside/kiosk.toml").read_text(encoding="utf-8")


def test_a_system_without_that_library_reads_its_pins_by_gpiod(box: Box) -> None:
    (box.fake / "known").write_text("", encoding="ascii")
    _done(box)
    assert not any("apt-get" in line for line in box.log)
    assert 'buttons = "gpiod"' in (box.root / "etc/tableside/kiosk.toml").read_text(encoding="utf-8")


def test_cage_brings_its_packages_and_its_part_of_the_unit(box: Box) -> None:
    _done(box, "--display", "cage")
    assert {"cage", "xwayland", "seatd"} <= set((box.fake / "packages").read_text(encoding="ascii").split())
    assert (box.root / "etc/systemd/system/tableside-kiosk.service.d/cage.conf").is_file()


# ── What cannot work is refused before anything is touched ───────────────────
@pytest.mark.parametrize(
    ("environment", "why"),
    [
        ({"FAKE_MACHINE": "armhf"}, "this is a 32-bit system (armhf)"),
        ({"FAKE_MACHINE": "riscv64"}, "on this kind of machine (riscv64)"),
        ({"FAKE_PYTHON": "3.9.2"}, "Tableside needs Python 3.11 or newer, and this system has Python 3.9.2"),
    ],
)
def test_a_machine_that_is_too_old_is_refused_with_a_sentence(box: Box, environment: dict[str, str], why: str) -> None:
    assert why in _refused(box, **environment)
    assert not box.opt.exists()
    assert box.log == []


@pytest.mark.parametrize("words", [["both", "twice"], ["--wheels", "/nowhere"], ["--display", "x11"], ["--wheels"]])
def test_a_word_that_is_wrong_is_named(box: Box, words: list[str]) -> None:
    assert "usage:" in _refused(box, *words, code=2)
    assert not box.opt.exists()


def test_a_package_that_cannot_be_had_is_named(box: Box) -> None:
    box.have(*PACKAGES[1:])
    (box.fake / "offline").touch()
    assert "the package python3-venv is missing" in _refused(box)
    assert not (box.opt / "current").exists()


def test_a_version_that_cannot_be_made_changes_nothing(box: Box) -> None:
    _done(box)
    before = (box.opt / "current").readlink()
    box.version("2.0.0")
    box.broken()
    assert "could not be made; see above. Nothing has changed." in _refused(box)
    assert ((box.opt / "current").readlink(), box.versions, box.runs()) == (before, {"1.0.0"}, True)


def test_a_second_installation_at_the_same_time_waits_its_turn(box: Box) -> None:
    _done(box)
    with subprocess.Popen(["flock", box.opt / "lock", "cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        holder.stdin.write(b"held\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == b"held\n"
        assert "another installation is going on" in _refused(box)
        holder.stdin.close()


# ── Again, up, and back ──────────────────────────────────────────────────────
def test_it_is_safe_to_run_again(box: Box) -> None:
    _done(box)
    settings = box.root / "etc/tableside/kiosk.toml"
    settings.write_text('table = "12"\n', encoding="utf-8")
    for _again in range(2):
        _done(box)
        assert box.runs()
    assert settings.read_text(encoding="utf-8") == 'table = "12"\n'
    assert len(box.versions) == 2  # the current one, and the one before


def test_what_an_interrupted_installation_left_is_swept_away(box: Box) -> None:
    (box.opt / "0.9.0/bin").mkdir(parents=True)
    _done(box)
    assert not (box.opt / "0.9.0").exists()


def test_an_upgrade_keeps_journal_and_settings(box: Box) -> None:
    _done(box)
    journal = box.root / "var/lib/tableside/journal.db"
    journal.parent.mkdir(parents=True)
    journal.write_text("the match", encoding="ascii")
    box.version("1.1.0")
    _done(box)
    assert (box.current, box.runs(), box.versions) == ("1.1.0", True, {"1.0.0", "1.1.0"})
    assert journal.read_text(encoding="ascii") == "the match"
    assert not (box.opt / "data-before").exists()


@pytest.mark.parametrize("fails", ["exit 1", "exit 3"])
def test_an_upgrade_that_does_not_start_or_falls_over_goes_back_by_itself(box: Box, fails: str) -> None:
    _done(box)
    box.version("1.1.0", run=fails)
    said = _refused(box)
    assert "version 1.1.0 did not start and is taken away again; 1.0.0 runs as before" in said
    assert (box.current, box.runs(), box.versions) == ("1.0.0", True, {"1.0.0"})


def test_an_upgrade_that_finds_no_room_for_a_copy_changes_nothing(box: Box) -> None:
    _done(box)
    (box.root / "var/lib/tableside").mkdir(parents=True)
    (box.fake / "full").touch()
    box.version("1.1.0")
    assert "there is no room for a copy of what is stored. Nothing has changed; 1.0.0 runs as before." in _refused(box)
    assert (box.current, box.runs(), box.versions) == ("1.0.0", True, {"1.0.0"})


CHANGES = 'echo new >"$ROOT/var/lib/tableside/journal.db"; exit 1'
READS_OLD = 'grep -q old "$ROOT/var/lib/tableside/journal.db"'


def test_data_that_the_failed_version_changed_beyond_the_old_ones_reading_is_put_back(box: Box) -> None:
    journal = box.root / "var/lib/tableside/journal.db"
    journal.parent.mkdir(parents=True)
    journal.write_text("old\n", encoding="ascii")
    box.version("1.0.0", run=READS_OLD)
    _done(box)
    box.version("1.1.0", run=CHANGES)
    assert "1.0.0 runs as before" in _refused(box)
    assert (journal.read_text(encoding="ascii"), box.runs()) == ("old\n", True)
    assert (box.root / "var/lib/tableside.after-upgrade-1/journal.db").read_text(encoding="ascii") == "new\n"


def test_data_on_a_partition_of_its_own_is_put_back_without_renaming_it(box: Box) -> None:
    journal = box.root / "var/lib/tableside/journal.db"
    journal.parent.mkdir(parents=True)
    journal.write_text("old\n", encoding="ascii")
    (box.fake / "partition").write_text(f"{journal.parent}\n", encoding="utf-8")
    partition = journal.parent.stat().st_ino
    box.version("1.0.0", run=READS_OLD)
    _done(box)
    box.version("1.1.0", run=CHANGES)
    assert "1.0.0 runs as before" in _refused(box)
    assert (journal.read_text(encoding="ascii"), journal.parent.stat().st_ino, box.runs()) == ("old\n", partition, True)
    assert (box.root / "var/lib/tableside.after-upgrade-1/journal.db").read_text(encoding="ascii") == "new\n"


CUT = "kill -9 $(cut -d ' ' -f 4 /proc/$PPID/stat); "
"""A power cut: the installer is gone while a new version starts."""


@pytest.mark.parametrize("command", ["install", "rollback"])
def test_an_upgrade_that_was_cut_off_goes_back_before_anything_else(box: Box, command: str) -> None:
    journal = box.root / "var/lib/tableside/journal.db"
    journal.parent.mkdir(parents=True)
    journal.write_text("old\n", encoding="ascii")
    box.version("0.9.0")
    _done(box)
    box.version("1.0.0", run=READS_OLD)
    _done(box)
    box.version("1.1.0", run=CUT + CHANGES)
    assert box.install().returncode == -9
    if command == "rollback":
        assert "version 0.9.0 runs" in _done(box, "rollback")
        assert journal.read_text(encoding="ascii") == "old\n"
        return
    box.version("1.1.0", run=CHANGES)
    assert "1.0.0 runs as before" in _refused(box)
    assert (box.current, box.runs(), box.versions) == ("1.0.0", True, {"0.9.0", "1.0.0"})
    assert journal.read_text(encoding="ascii") == "old\n"


@pytest.mark.parametrize("name", ["TERM", "HUP", "PIPE"])
def test_a_terminal_that_is_closed_in_the_middle_leaves_a_table_that_runs(box: Box, name: str) -> None:
    box.version("1.0.0", run=CUT.replace("-9", f"-{name}"))
    _done(box)
    box.version("1.1.0", run=CUT.replace("-9", f"-{name}"))
    _done(box)
    assert (box.current, box.runs()) == ("1.1.0", True)


def test_what_the_failed_version_recorded_stays_where_the_old_one_can_read_it(box: Box) -> None:
    journal = box.root / "var/lib/tableside/journal.db"
    journal.parent.mkdir(parents=True)
    _done(box)
    box.version("1.1.0", run=CHANGES)
    _refused(box)
    assert journal.read_text(encoding="ascii") == "new\n"


def test_a_table_that_does_not_start_yet_is_installed_all_the_same_and_says_so(box: Box) -> None:
    box.version("1.0.0", run="exit 1")
    done = box.install()
    assert done.returncode == 1
    assert "is installed, but does not start yet" in done.stdout
    assert box.current == "1.0.0"


def test_rollback_goes_to_the_version_before_and_forth_again(box: Box) -> None:
    _done(box)
    assert "no version before" in _refused(box, "rollback")
    box.version("1.1.0")
    _done(box)
    _done(box, "rollback")
    assert (box.current, box.runs()) == ("1.0.0", True)
    _done(box, "rollback")
    assert (box.current, box.runs()) == ("1.1.0", True)


def test_a_rollback_that_does_not_start_stays(box: Box) -> None:
    (box.fake / "fails").touch()
    box.version("1.0.0", run='[ ! -e "$FAKE/poison" ]')
    _done(box)
    box.version("1.1.0")
    _done(box)
    (box.fake / "poison").touch()
    assert "1.1.0 is current again" in _refused(box, "rollback")
    assert (box.current, box.runs()) == ("1.1.0", True)


# ── Without internet ─────────────────────────────────────────────────────────
def _folder_of_wheels(box: Box, folder: Path, version: str) -> Path:
    shutil.copytree(SYSTEMD, folder / "systemd")
    (folder / f"tableside-{version}-py3-none-any.whl").touch()
    (folder / "debs").mkdir()
    (folder / "debs/libegl1.deb").touch()
    box.version(version)
    return folder


def test_a_folder_of_wheels_needs_no_internet(box: Box, tmp_path: Path) -> None:
    folder = _folder_of_wheels(box, tmp_path / "a stick", "2.3.4")
    box.have(*(package for package in PACKAGES if package != "libegl1"))
    _done(box, "--wheels", str(folder))
    assert box.current == "2.3.4"
    pip = next(line for line in box.log if line.startswith("pip"))
    assert f"--no-index --find-links {folder} tableside[discovery] gpiod" in pip
    assert [line for line in box.log if "apt-get" in line] == [f"apt-get -y -qq --no-install-recommends install {folder}/debs/libegl1.deb"]


def test_an_installed_box_takes_units_and_installer_from_the_folder(box: Box, tmp_path: Path) -> None:
    _done(box)
    folder = _folder_of_wheels(box, tmp_path / "stick", "2.0.0")
    unit = folder / "systemd/tableside-kiosk.service"
    unit.write_text(unit.read_text(encoding="utf-8") + "# newer\n", encoding="utf-8")
    (folder / "systemd/install").chmod(0o644)  # a stick is mounted so that nothing on it can be run
    done = box.install("--wheels", str(folder), script=box.opt / "current/systemd/install")
    assert done.returncode == 0, done.stderr
    assert (box.root / "etc/systemd/system/tableside-kiosk.service").read_text(encoding="utf-8").endswith("# newer\n")


def test_a_folder_without_wheels_is_told(box: Box, tmp_path: Path) -> None:
    assert "no tableside-*.whl" in _refused(box, "--wheels", str(tmp_path))


# ── Away ─────────────────────────────────────────────────────────────────────
def _everything(box: Box) -> set[str]:
    return {str(path.relative_to(box.root)) for path in box.root.rglob("*") if not path.is_dir()}


def test_uninstalling_takes_everything_but_data_and_settings(box: Box) -> None:
    _done(box, "both", "--display", "cage")
    journal = box.root / "var/lib/tableside/journal.db"
    journal.parent.mkdir(parents=True)
    journal.touch()
    done = box.install("uninstall", script=box.opt / "current/systemd/install")  # as `tableside-install` does, from what it takes away
    assert done.returncode == 0, done.stderr
    assert _everything(box) == {"etc/tableside/kiosk.toml", "var/lib/tableside/journal.db"}
    for unit in ("tableside-kiosk.service", "tableside-server.service", "tableside-backup.timer"):
        assert f"systemctl disable --quiet --now {unit}" in box.log
    assert "systemctl set-default graphical.target" in box.log


def test_purging_takes_data_and_settings_too(box: Box) -> None:
    _done(box)
    (box.root / "var/lib/tableside").mkdir(parents=True)
    _done(box, "uninstall", "--purge")
    assert _everything(box) == set()
    assert "not installed" in _refused(box, "uninstall")
    assert "not installed" in _refused(box, "uninstall", "--purge")


def test_what_an_uninstallation_left_can_be_purged_afterwards(box: Box) -> None:
    _done(box)
    for left in ("tableside", "tableside.after-upgrade-1"):
        (box.root / "var/lib" / left).mkdir(parents=True)
    _done(box, "uninstall")
    _done(box, "uninstall", "--purge")
    assert list((box.root / "var/lib").iterdir()) == []


# ── The scripts themselves ───────────────────────────────────────────────────
@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="shellcheck is missing; apt-get install shellcheck")
def test_the_scripts_are_clean() -> None:
    assert len(SCRIPTS) == 5
    done = subprocess.run(["shellcheck", "-x", *SCRIPTS], cwd=SYSTEMD, capture_output=True, text=True, check=False)
    assert done.stdout == ""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_have_no_mistake_of_grammar(script: Path) -> None:
    shell = "bash" if b"bash" in script.read_bytes()[:60] else "sh"
    subprocess.run([shell, "-n", script], check=True)


def test_the_commands_of_an_installed_box_act_as_the_services_users() -> None:
    for name, user in (("kiosk", "tableside"), ("kiosk-server", "tableside-server")):
        assert re.search(rf"exec runuser -u {user} -- ", (SYSTEMD / f"{name}.sh").read_text(encoding="utf-8"))
