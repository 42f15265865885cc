"""One table: commands in, facts out, snapshots for whoever shows them."""
