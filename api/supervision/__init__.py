"""Keeping the processes of one service alive, and stopping them together."""
