"""Odin (Helvetiq): shed all cards with ever higher combinations, each turn taking one of those beaten.

The numbers O1 to O33 in this folder are the rulings of the rules specification, section 1.
"""
