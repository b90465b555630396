"""Do the processes of the service on this machine run, and does it say that it is ready?"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, Literal

import httpx
import msgspec

from services.log.embedded.processes import is_alive
from services.watch.doctor.diagnosis import Diagnosis, act, fine, look

State = Literal["runs", "frozen", "ended"]

_STOPPED: Final = frozenset("Tt")
_DEAD: Final = frozenset("ZX")

_MEANS: Final[Mapping[str, str]] = {
    "API": "Nobody reaches the service.",
    "log store": "Nobody can play or look: every answer is 503.",
    "job store": "Bots play only when the clock makes them, after half a minute.",
    "loops": "No deadline ends, bots are not asked, finished matches do not go to the archive.",
    "supervisor": "Nothing that ends or hangs is started again.",
}
_WORKER: Final = "Bots play only when the clock makes them, after half a minute."


class ProcessFacts(msgspec.Struct, frozen=True):
    """One process of the service.

    Attributes:
        name: ``API``, ``loops``, ``worker 1`` …
        state: Whether it runs.
    """

    name: str
    pid: int
    state: State


def process_facts(pids: Mapping[str, int], proc: Path = Path("/proc")) -> list[ProcessFacts]:
    """Return the state of processes, by their names."""
    return [ProcessFacts(name, pid, _state(pid, proc)) for name, pid in pids.items()]


def _state(pid: int, proc: Path) -> State:
    if not is_alive(pid):
        return "ended"
    try:
        # "12 (a name) with spaces) S 1 …": the letter stands behind the last bracket.
        letter = (proc / str(pid) / "stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return "runs"
    return "frozen" if letter in _STOPPED else "ended" if letter in _DEAD else "runs"


def judge_processes(facts: Iterable[ProcessFacts]) -> list[Diagnosis]:
    """Judge the processes of a service that runs."""
    facts = tuple(facts)
    found = [_not_running(one) for one in facts if one.state != "runs"]
    return found or [fine("process.all_run", f"All {len(facts)} processes of the service run.")]


def _not_running(one: ProcessFacts) -> Diagnosis:
    means = _MEANS.get(one.name, _WORKER if one.name.startswith("worker") else "")
    if one.state == "frozen":
        return act(
            "process.frozen",
            f"The {one.name} (process {one.pid}) is stopped: it has been sent SIGSTOP, or a debugger holds it.",
            means,
            f"`kill -CONT {one.pid}` lets it go on; `kill -KILL {one.pid}` makes the service start it anew. Without "
            "either, the service kills and replaces it: the API and the loops after 15 s, a worker after 90 s.",
        )
    return act(
        "process.ended",
        f"The {one.name} (process {one.pid}) has ended.",
        means,
        "The service starts it again within seconds. If this is still so when you look again, the service log tells "
        "why it ends.",
    )


def judge_code(runs: str, on_disk: str) -> list[Diagnosis]:
    """Compare the code with which a service started with the one on the disk, by their digests."""
    if not runs or runs == on_disk:
        return []
    return [
        look(
            "code.differs",
            f"The service was started with code {runs}; on the disk, for this command, is {on_disk}.",
            "What runs is not what is installed; a process that is started again alone brings the new code with it.",
            "If this is an upgrade, start the service again. If nobody has upgraded, somebody has changed the code: "
            "`tablee --version` and `git status` tell what is there.",
        )
    ]


_PATIENCE: Final = 5.0
_SHOWN: Final = 300


class ReadinessFacts(msgspec.Struct, frozen=True):
    """What the service answered when it was asked whether it is ready.

    Attributes:
        url: Where it was asked.
        status: The HTTP status; 0 for no answer.
        said: The beginning of the answer, or why there is none.
    """

    url: str
    status: int
    said: str


def readiness_facts(api_url: str) -> ReadinessFacts:
    """Ask a service on this machine whether it is ready."""
    url = f"{api_url}/health/ready"
    try:
        answer = httpx.get(url, timeout=_PATIENCE, trust_env=False)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return ReadinessFacts(url, 0, str(error) or type(error).__name__)
    return ReadinessFacts(url, answer.status_code, answer.text[:_SHOWN])


def judge_readiness(facts: ReadinessFacts) -> Diagnosis:
    """Judge what the service answered."""
    if facts.status == httpx.codes.OK:
        return fine("api.ready", f"The service answers at {facts.url} that it is ready.")
    if not facts.status:
        return act(
            "api.silent",
            f"The service does not answer at {facts.url}: {facts.said}.",
            "Nobody can play or look.",
            "Does the process `API` run (`process.…`)? The service log tells what holds it up.",
        )
    return act(
        "api.not_ready",
        f"The service answers {facts.status} at {facts.url}: {facts.said}",
        "Load balancers send nobody here; moves may be refused.",
        "The answer names what is amiss; `store.…` and `disk.…` say what to do about it.",
    )
