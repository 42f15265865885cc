"""The table's screen: the only home of pygame."""
