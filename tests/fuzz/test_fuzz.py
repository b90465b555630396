"""A sample of ``make fuzz``: the same campaign and the same judgement, for some seconds."""

import time
from collections.abc import Iterator

import pytest

from tests.fuzz.against_the_document import held_against_the_document
from tests.fuzz.campaign import Campaign
from tests.fuzz.service import Running, running_service
from tests.fuzz.verified import all_verify

REQUESTS = 600
SECONDS = 20.0


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with running_service() as service:
        yield service


def test_every_request_gets_a_proper_answer_and_changes_only_what_it_may(running):
    campaign = Campaign(running, seed=1)
    began = time.monotonic()
    while campaign.number < REQUESTS and time.monotonic() - began < SECONDS:
        campaign.step()
    at_the_end = [*campaign.read_service_log(), *all_verify(running)]
    campaign.end()
    assert campaign.number >= REQUESTS / 4
    assert not campaign.findings, "\n\n".join(map(str, campaign.findings[:5]))
    assert not at_the_end


def test_the_service_is_what_its_document_says(running):
    held = held_against_the_document(running, examples=1, seed=1)
    assert held.failures == ""
    assert held.cases > 50
