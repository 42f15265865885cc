"""What both command lines have in common: commands that are imported late, help in the language spoken, errors as one sentence, the log."""
