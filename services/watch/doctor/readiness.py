"""Does the service answer, and what does it say of itself?"""

from typing import Final

import httpx
import msgspec

from services.watch.doctor.diagnosis import Diagnosis, act, fine

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
