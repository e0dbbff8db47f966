"""Running a command of the caller's own, faithfully: all it writes, how every stage ended, what it left running."""
