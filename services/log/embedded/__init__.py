"""Valkey servers of our own, in a data folder: what ``tablee up`` uses when no store is named."""
