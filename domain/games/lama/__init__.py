"""L.A.M.A.: rules number 1, by the forty rulings of the rules specification.

Each ruling is named once, by its number, beside the code that implements it; ``tests/unit/domain/games/lama`` has one
test per ruling, named after it.

* ``cards``, ``options``, ``moves``, ``events``, ``state``, ``view``: the types, as they are on the wire;
* ``legal``, ``rules``, ``scoring``, ``refusals``, ``rulings``: what is allowed, and what follows from it;
* ``evolve``: events applied to the state;
* ``sampling``, ``bot``: judgement from a seat's view alone;
* ``game``: all of it behind the contract.
"""
