"""The touch board: was that move legal, and a game's moves written down."""
