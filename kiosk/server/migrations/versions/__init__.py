"""The recorded steps, in order of their numbers."""
