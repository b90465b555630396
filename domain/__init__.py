"""The pure core: cards, games, the match decider, events, folding, sealing.

Nothing in this ring reads a clock, a socket, a file or a source of randomness: instants and allowances are
handed in, chance comes from the match's sealed entropy. It may import the standard library and msgspec only.
"""
