"""The pure core: cards, games, the match decider, events, folding, sealing.

Nothing in this ring reads a clock, a socket, a file or a source of randomness. Instants and allowances are passed
in; chance comes from the match's sealed entropy. It may import the standard library and msgspec only.
"""
