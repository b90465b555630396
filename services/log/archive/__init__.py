"""Logs that outlive their store: closed matches in the archive, and matches on their way to other installations."""
