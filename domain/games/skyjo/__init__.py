"""Skyjo: twelve cards face down in four columns of three, low points win, three equal cards leave the table."""
