"""Projections: what is read off the log and kept beside it, thrown away and rebuilt at will."""
