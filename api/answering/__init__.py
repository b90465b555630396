"""Answers: how results are written, and every refusal as a problem document."""
