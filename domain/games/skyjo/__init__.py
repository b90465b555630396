"""Skyjo: twelve cards each, face down in columns of three; low points win, three equal cards leave."""
