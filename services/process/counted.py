"""What processes count while they work."""

from typing import Final

from services.process.measure import Measure

_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_PATIENT: Final = (0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)

REQUESTS: Final = Measure(
    "tablee_http_requests_total",
    "counter",
    "Requests that this process has answered; status 0 is one whose client went away.",
    ("method", "route", "status"),
)
REQUEST_SECONDS: Final = Measure(
    "tablee_http_request_seconds",
    "histogram",
    "Time from a request to the start of its answer, in this process.",
    ("route",),
    _QUICK,
)
COMMANDS: Final = Measure(
    "tablee_commands_total",
    "counter",
    "Commands to matches, by result: accepted, duplicate (sent again), or the code of the refusal.",
    ("door", "result"),
)
CONFLICTS: Final = Measure(
    "tablee_append_conflicts_total",
    "counter",
    "Appends to a log that had moved on in the meantime; the command was decided again.",
)
APPEND_SECONDS: Final = Measure(
    "tablee_append_seconds",
    "histogram",
    "Time of one append, until the store confirms that the events are on disk.",
    (),
    _QUICK,
)
BOT_TURNS: Final = Measure(
    "tablee_bot_turns_total",
    "counter",
    "Bots' turns: played by a job, by the clock because no job came, or with the fallback move.",
    ("by",),
)
BOT_ANSWER_SECONDS: Final = Measure(
    "tablee_bot_answer_seconds",
    "histogram",
    "Time from when a bot was asked to its move in the log.",
    (),
    _PATIENT,
)

COUNTED: Final = (
    REQUESTS,
    REQUEST_SECONDS,
    COMMANDS,
    CONFLICTS,
    APPEND_SECONDS,
    BOT_TURNS,
    BOT_ANSWER_SECONDS,
)
