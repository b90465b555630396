"""Every command of a seat's holder or the host, except moves: its name, its body, what it does.

The API's routes, the API's document and the pages' buttons are made from this table.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from api.requests.bodies import (
    AbandonBody,
    AnnounceBody,
    AnswerBody,
    Body,
    GiveTimeBody,
    HandToBotBody,
    NoBody,
    OpenSeatBody,
    PauseBody,
    ReadyBody,
    UndoBody,
)
from api.requests.submissions import Caller, fingerprint, submission
from domain.match.commands import (
    AbandonMatch,
    AnnounceNonce,
    AnswerRequest,
    AskToEnd,
    AskToPause,
    AskToResume,
    BeReady,
    Command,
    GiveTime,
    HandSeatToBot,
    KeepTable,
    LeaveSeat,
    OpenSeat,
    ReclaimSeat,
    RedoMove,
    ResignSeat,
    StartMatch,
    UndoMove,
    WithdrawRequest,
)
from services.matches.service import ForOwnSeat, Submission


class TableCommand(msgspec.Struct, frozen=True, kw_only=True):
    """One command.

    Attributes:
        name: Its name, in addresses and in fingerprints.
        operation: The operation's name in generated clients.
        summary: What it does, in a line.
        description: What else there is to know.
        tag: Its group in the document.
        body: What a request says in its body.
        examples: Bodies by title.
        command: Makes the command from the body and the id of the request that the address names.
        answers_request: Whether the address names a request.
        conflicts: Codes of refusals because of the match's state.
        refusals: Codes of refusals by the rules.
    """

    name: str
    operation: str
    summary: str
    description: str
    tag: str = "tables"
    body: type[Body] = NoBody
    examples: Mapping[str, Any] = {}
    command: Callable[[Any, str], Command | ForOwnSeat]
    answers_request: bool = False
    conflicts: tuple[str, ...]
    refusals: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """The rest of its address after the match's."""
        return f"requests/{{request_id}}/{self.name}" if self.answers_request else self.name

    def submission(self, caller: Caller, match: str, body: Body, request_id: str = "") -> Submission:
        """Return the command on its way to a match."""
        kind = f"{self.name} {request_id}" if self.answers_request else self.name
        return submission(caller, match, self.command(body, request_id), fingerprint(kind, match, body))


_COMMANDS: Final[tuple[TableCommand, ...]] = (
    TableCommand(
        name="ready",
        operation="beReady",
        summary="Say that you are ready for the start, or show your nonce",
        description=(
            "When all seats are taken and everybody is ready, the match begins, or the host can start it: the table's "
            "`start` says which. You may be ready before all sit. If you announced a nonce, show it once all seats are "
            "taken: now, or by sending this command again. When everybody is ready the table waits a minute for nonces "
            "(`nonces_until`), then begins without those that were not shown; `MatchStarted` says whose."
        ),
        body=ReadyBody,
        examples={"ready": {}, "the announced nonce": {"nonce": "a-word-of-my-own"}},
        command=lambda body, _: ForOwnSeat(BeReady, body.nonce or ""),
        conflicts=("seat.already_ready", "match.already_started", "nonce.too_early"),
        refusals=("nonce.required", "nonce.mismatch", "nonce.not_announced"),
    ),
    TableCommand(
        name="announce",
        operation="announceNonce",
        summary="Announce a nonce again, after a change of seats has voided yours",
        description=(
            "Once a nonce has been shown, any change of a seat voids all nonces shown so far and their holders' "
            "readiness. Otherwise somebody could leave and come back with a nonce chosen last. Announce a new one, "
            "then be ready with it."
        ),
        body=AnnounceBody,
        examples={"a new nonce": {"nonce_hash": "3f" * 32}},
        command=lambda body, _: ForOwnSeat(AnnounceNonce, body.nonce_hash),
        conflicts=(
            "seat.already_ready",
            "match.already_started",
            "nonce.already_announced",
            "nonce.too_late",
        ),
    ),
    TableCommand(
        name="leave",
        operation="leaveSeat",
        summary="Stand up before the start",
        description=(
            "Your seat is free again; your token no longer opens anything. The match has no result for you, and counts "
            "in no standings."
        ),
        command=lambda *_: ForOwnSeat(LeaveSeat),
        conflicts=("match.already_started",),
    ),
    TableCommand(
        name="resign",
        operation="resignSeat",
        summary="Give up: a bot plays on for you, and you are ranked last",
        description=(
            "There is no way back. You are ranked last, behind all who stay (who resigns first, last of all), and "
            "standings count it so; if somebody takes over your seat, the result is theirs. The last person at a table "
            "without bots has won; with bots, the match ends as it stands when the last one resigns."
        ),
        command=lambda *_: ForOwnSeat(ResignSeat),
        conflicts=("seat.resigned", "match.not_started"),
    ),
    TableCommand(
        name="hand-to-bot",
        operation="handSeatToBot",
        summary="Let a bot play for you until you reclaim your seat",
        description="The bot sees no more than you do. You can still look on, and take over again at any time.",
        body=HandToBotBody,
        command=lambda body, _: ForOwnSeat(HandSeatToBot, body.level),
        conflicts=("seat.bot_plays_already", "match.not_started"),
        refusals=("bot.unknown_level",),
    ),
    TableCommand(
        name="reclaim",
        operation="reclaimSeat",
        summary="Play for yourself again",
        description="Takes your seat back from the bot that plays for you.",
        command=lambda *_: ForOwnSeat(ReclaimSeat),
        conflicts=("seat.no_bot_plays", "seat.resigned", "match.not_started"),
    ),
    TableCommand(
        name="start",
        operation="startMatch",
        summary="Begin the game",
        description=(
            "Deals the first hands, at a table that the host starts. Every seat must be taken and everybody ready."
        ),
        command=lambda *_: StartMatch(),
        conflicts=("match.seats_open", "match.not_ready", "match.nonces_awaited", "match.already_started"),
    ),
    TableCommand(
        name="open-seat",
        operation="openSeat",
        summary="Let anybody take a seat that was kept for somebody",
        description=(
            "At a rematch a seat is kept for each of the same people. When somebody does not come, open theirs."
        ),
        body=OpenSeatBody,
        examples={"the second seat": {"seat": 1}},
        command=lambda body, _: OpenSeat(body.seat),
        conflicts=("seat.not_kept", "match.already_started"),
        refusals=("seat.unknown",),
    ),
    TableCommand(
        name="keep",
        operation="keepTable",
        summary="Let a table wait on that is about to close",
        description=(
            "A table that has not begun closes when nothing happens at it: after a day if nobody ever sat there, after "
            "three days if one person did, after two weeks otherwise. It is told before (`expires`). Whoever sits "
            "down, leaves or gets ready starts the time anew, and so does the host with this command."
        ),
        command=lambda *_: KeepTable(),
        conflicts=("expiry.not_announced", "match.already_started"),
    ),
    TableCommand(
        name="abandon",
        operation="abandonMatch",
        summary="End the match without a result",
        description="Nobody wins. Everything that was sealed is opened, so that the deals can be checked.",
        body=AbandonBody,
        examples={"it did not come about": {"reason": "nobody_came"}},
        command=lambda body, _: AbandonMatch(body.reason),
        conflicts=("match.over",),
    ),
    TableCommand(
        name="undo",
        operation="undoMove",
        summary="Take your turn back, or ask the others whether you may",
        description=(
            "Your last turn, or the one that `to` names (the view's `undo` tells what is possible). The table's policy "
            "decides: `free`: your own last move, while nobody has moved or learned a card since; `consent`: that, or "
            "what all other people agree to: then this makes a request that they answer; `practice`: anything. Nothing "
            "is deleted and no time is given back; a turn without time left comes back only if the others give it some."
        ),
        tag="playing",
        body=UndoBody,
        examples={"the last turn": {}, "further back": {"to": 12}},
        command=lambda body, _: ForOwnSeat(UndoMove, to=body.to),
        conflicts=("match.not_started", "request.already_made", "seat.resigned"),
        refusals=(
            "undo.off",
            "undo.choose_again",
            "undo.not_free",
            "undo.nothing",
            "undo.no_time_left",
            "undo.no_turn_there",
            "undo.not_your_turn_there",
        ),
    ),
    TableCommand(
        name="redo",
        operation="redoMove",
        summary="Step forward into what was taken back",
        description="Possible until somebody moves.",
        tag="playing",
        command=lambda *_: ForOwnSeat(RedoMove),
        conflicts=("match.not_started", "seat.resigned"),
        refusals=("redo.nothing", "redo.not_yours"),
    ),
    TableCommand(
        name="ask-to-end",
        operation="askToEnd",
        summary="Ask the others to end the match without a result",
        description=(
            "When all other people agree, the match ends without a result: nobody wins, and it counts in no standings."
        ),
        command=lambda *_: ForOwnSeat(AskToEnd),
        conflicts=("match.not_started", "request.already_made", "seat.resigned"),
    ),
    TableCommand(
        name="ask-to-pause",
        operation="askToPause",
        summary="Ask the others to let all clocks rest for a while",
        description=(
            "When all other people agree, nobody's clock runs for so long. Moves are possible all the same. The view's "
            "`rests` tell how long it lasts."
        ),
        body=PauseBody,
        examples={"until tomorrow": {"seconds": 86_400}},
        command=lambda body, _: ForOwnSeat(AskToPause, body.seconds),
        conflicts=(
            "match.not_started",
            "request.already_made",
            "seat.resigned",
            "pause.already",
            "clock.none",
        ),
        refusals=("pause.out_of_range",),
    ),
    TableCommand(
        name="ask-to-resume",
        operation="askToResume",
        summary="Ask the others to end the pause before its time",
        description="When all other people agree, clocks run again.",
        command=lambda *_: ForOwnSeat(AskToResume),
        conflicts=("match.not_started", "request.already_made", "seat.resigned", "pause.none", "clock.none"),
    ),
    TableCommand(
        name="give-time",
        operation="giveTime",
        summary="Give somebody else more time for their present turn",
        description="Nobody loses any by it. All gifts for one turn together are no longer than the turn itself.",
        tag="playing",
        body=GiveTimeBody,
        examples={"a quarter of an hour": {"to": 1, "seconds": 900}},
        command=lambda body, _: ForOwnSeat(GiveTime, body.to, body.seconds),
        conflicts=("match.not_started", "seat.resigned", "time.none_runs"),
        refusals=("time.own", "time.given_enough", "seat.unknown"),
    ),
    TableCommand(
        name="answer",
        operation="answerRequest",
        summary="Agree to a request, or refuse it",
        description="The last agreement carries the request out; one refusal ends it. The view lists open requests.",
        body=AnswerBody,
        examples={"agreed": {"agree": True}},
        command=lambda body, request_id: ForOwnSeat(AnswerRequest, request_id, body.agree),
        answers_request=True,
        conflicts=("match.not_started", "request.already_answered", "request.not_asked"),
        refusals=("request.unknown",),
    ),
    TableCommand(
        name="withdraw",
        operation="withdrawRequest",
        summary="Take your request back",
        description="Only the person who made a request can withdraw it.",
        command=lambda _, request_id: ForOwnSeat(WithdrawRequest, request_id),
        answers_request=True,
        conflicts=("match.not_started", "request.not_yours"),
        refusals=("request.unknown",),
    ),
)

TABLE_COMMANDS: Final[Mapping[str, TableCommand]] = {command.name: command for command in _COMMANDS}
"""By name."""
