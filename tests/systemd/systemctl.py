#!/usr/bin/python3
"""`systemctl` in a Debian root where no systemd runs: services of `Type=notify` are really started, as their user, and waited for.

A table has neither panel nor buttons there: `kiosk run` gets `--simulate --no-screen`. Nothing watches a service afterwards.
"""

from __future__ import annotations

import os
import pwd
import shlex
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

UNITS = Path("/etc/systemd/system")
RUN = Path("/run/fake-systemd")


def keys(unit: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (UNITS / unit).read_text(encoding="utf-8").splitlines():
        key, is_key, value = line.partition("=")
        if is_key and not line.startswith("#"):
            found.setdefault(key, []).append(value.replace("%t", "/run").replace("%S", "/var/lib"))
    return found


def active(unit: str) -> int | None:
    """The process of a running service."""
    try:
        pid = int((RUN / unit).read_text(encoding="ascii"))
        os.kill(pid, 0)
    except (OSError, ValueError):
        return None
    return pid


def stop(unit: str) -> None:
    pid = active(unit)
    if pid is None:
        return
    os.kill(pid, signal.SIGTERM)
    until = time.monotonic() + 20
    while active(unit) is not None and time.monotonic() < until:
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def start(unit: str) -> int:
    """0 once the service says READY=1, else 1; one whose condition does not hold is passed over, as systemd does."""
    said = keys(unit)
    if not all(Path(path).exists() for path in said.get("ConditionPathExists", [])):
        return 0
    user = pwd.getpwnam(said["User"][0])
    for runtime in said.get("RuntimeDirectory", []):
        (Path("/run") / runtime).mkdir(exist_ok=True)
        os.chown(Path("/run") / runtime, user.pw_uid, user.pw_gid)
    RUN.mkdir(exist_ok=True)
    (address := RUN / f"{unit}.notify").unlink(missing_ok=True)
    heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    heard.bind(str(address))
    address.chmod(0o777)
    command = shlex.split(said["ExecStart"][0])
    if command[0].endswith("/kiosk"):  # without a screen it ends with its input: this one never ends
        pipe = f"/run/tableside/stdin-{os.getpid()}"
        command = ["sh", "-c", 'mkfifo -m 600 "$0" && exec "$@" 0<>"$0"', pipe, *command[:2], "--simulate", "--no-screen"]
    environment = dict(pair.split("=", 1) for pair in said.get("Environment", []))
    process = subprocess.Popen(
        command,
        user=user.pw_uid,
        group=user.pw_gid,
        cwd=said["WorkingDirectory"][0],
        env={"PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": str(address), **environment},
        stdin=subprocess.DEVNULL,
        stdout=(RUN / f"{unit}.out").open("wb"),
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    (RUN / unit).write_text(str(process.pid), encoding="ascii")
    heard.settimeout(0.2)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(TimeoutError):
            if b"READY=1" in heard.recv(4096).split(b"\n"):
                return 0
        if process.poll() is not None:
            return 1
    stop(unit)
    return 1


def main(words: list[str]) -> int:
    units = [word for word in words[1:] if word.endswith((".service", ".timer", ".target"))]
    match words[0]:
        case "restart":
            stop(units[0])
            return start(units[0])
        case "stop":
            for unit in units:
                stop(unit)
        case "disable" if "--now" in words:
            stop(units[0])
        case "is-active":
            return 0 if active(units[0]) is not None else 3
        case "get-default":
            print("multi-user.target")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
