"""Odin (Helvetiq): shed all cards in ever higher combinations, taking one card of each combination beaten.

The numbers O1 to O33 in this folder are the rulings of the rules specification, section 1.
"""
