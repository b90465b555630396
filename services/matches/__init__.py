"""What the application does with matches: read them, command them, know when they need somebody, play their bots."""
