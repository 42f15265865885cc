"""The composition root of the kiosk: command line, configuration, start list, loop."""
