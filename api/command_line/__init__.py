"""The command ``tablee``: the door for operators, and a table in the terminal.

* ``main``: the entry point, and which commands there are; ``group``: loads a command only when it is called;
* ``commands/``: one file for each command;
* ``options``, ``output``: what commands share towards the person at the terminal;
* ``opening``: the log of a data folder or of a server; ``proof``: verifying a match on it;
* ``service``: the processes of ``tablee up``; ``attaching``: using the running service, or one of one's own meanwhile;
* ``remote``, ``remote_client``: asking a service elsewhere over HTTP instead of the store;
* ``playing/client``: the HTTP API as a player uses it; ``playing/following``: its events as history lines;
* ``tables/<game>``: a game's table as text; ``choosing``, ``typed_moves``: how a player names his move.

Operators are spoken to in English; players, in all languages of the catalogues.

Exit codes: 0: done. 1: something is wrong with what was looked at. 2: the command could not be carried out: it was
misused, or the folder, the port or the server is not as it should be.
"""
