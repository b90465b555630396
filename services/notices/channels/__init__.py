"""Channels: one module for each way in which a message reaches a person. ``contract.py`` says what one must do."""
