from __future__ import annotations

import re

from reference import rows

from kiosk.app import main
from kiosk.app.config import KEYS


def test_every_key_of_the_configuration_stands_in_the_reference() -> None:
    assert set(rows("Configuration")) == set(KEYS)


def test_the_exit_codes_are_those_that_the_command_line_promises() -> None:
    assert list(rows("Exit codes")) == re.findall(r"\b(\d+) [a-z]", str(main.__doc__))
