"""Keeping the processes of one service alive, and ending them together."""
