"""The error tree that all rings share.

::

    TableeError                 anything that Tablée itself reports; has a stable ``code``
    ├── Refused                 a well-formed command that the rules or the table do not allow (HTTP 422)
    │   └── NotAsked            ... because this seat owes no move now (412 or 422)
    ├── Malformed               a command or a document that cannot be read at all (HTTP 400)
    └── BrokenLog               a stored log that contradicts itself; names the first bad event

The outer rings add their own branches (``services/errors.py``). A code, once released, keeps its meaning.
"""

from collections.abc import Mapping

Argument = str | int | bool | tuple[str | int, ...]


class TableeError(Exception):
    """Root of every error that Tablée raises on purpose.

    Attributes:
        code: Stable, machine-readable cause, for example ``seat.taken``.
    """

    code: str = "tablee.error"


class Refused(TableeError):
    """A well-formed command that is not allowed in the present state. Nothing has changed.

    Attributes:
        code: Stable cause, one per rule.
        rule: The number of the broken rule in the rules specification (``M10``), or the table rule's name.
        arguments: Values for the sentence that people read (cards, counts, seats). They never hold anything that
            the person refused may not know: a refusal can leak a card as well as a view can.
    """

    def __init__(self, code: str, rule: str, **arguments: Argument) -> None:
        super().__init__(code)
        self.code = code
        self.rule = rule
        self.arguments: Mapping[str, Argument] = arguments


class NotAsked(Refused):
    """The seat owes no move now (``not_your_turn``)."""

    def __init__(self, seat: int, to_act: tuple[int, ...]) -> None:
        super().__init__("not_your_turn", "turn", seat=seat, to_act=to_act)


class Malformed(TableeError):
    """Input that cannot be read as what it claims to be.

    Attributes:
        code: Stable cause.
        detail: What was wrong, for a developer; never holds a secret.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail


class BrokenLog(TableeError):
    """A stored log contradicts itself.

    Attributes:
        code: Stable cause, for example ``log.chain_broken``.
        version: The first bad event, from 1.
        detail: What was expected and what was found.
    """

    def __init__(self, code: str, version: int, detail: str) -> None:
        super().__init__(f"event {version}: {code}: {detail}")
        self.code = code
        self.version = version
        self.detail = detail
