"""One file for each command, named after it; see ``api.command_line.main`` for the list."""
