"""The games: one folder each, all behind the contract in :mod:`domain.games.contract`."""
