"""Tableside: a tournament clock and referee kiosk for backgammon and long nardy tables."""

__version__ = "0.1.0"
