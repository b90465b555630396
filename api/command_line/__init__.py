"""The command ``tablee``: the operator's tool, and a table in the terminal.

* ``main``: the entry point, and which commands there are; ``group``: loads a command only when it is called;
* ``commands/``: one file for each command;
* ``call``: what a command gets of the options that most commands have, and how it reads and prints;
* ``options``, ``values``, ``output``: what commands share towards the person at the terminal;
* ``opening``: the log of a data folder or of a server;
* ``service``: the processes of ``tablee up``; ``attaching``: using the running service, or starting one meanwhile;
* ``remote``, ``remote_client``: asking a service elsewhere over HTTP instead of the store;
* ``playing/client``: the HTTP API as a player uses it; ``playing/following``: its events as history lines;
* ``tables/<game>``: a game's table as text; ``choosing``, ``typed_moves``: how players name their moves.

Operators are spoken to in English; players, in all languages of the catalogues.

Exit codes: 0: done. 1: something is wrong with what the command looked at. 2: the command could not be carried out: it
was misused, or the folder, the port or the server is not as it should be.
"""
