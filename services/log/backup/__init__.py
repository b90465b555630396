"""Backups of everything that cannot be derived again, made while the service runs."""
