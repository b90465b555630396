"""Skyjo: twelve cards each, face down in columns of three; a column of equal cards leaves; the fewest points win."""
