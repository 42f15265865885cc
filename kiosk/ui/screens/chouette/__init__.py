"""A chouette's screens: who plays, the running table, how a game ended, who comes and goes."""
