"""Instants as a reader's clock shows them."""

from zoneinfo import ZoneInfo

import pytest

from domain.instants import Instant
from services.words.times import at_most, local_moment

NOW = Instant("2026-03-27T20:00:00.000Z")  # a Friday, two days before summer time begins in Paris


@pytest.mark.parametrize(
    ("instant", "zone", "language", "said"),
    [
        ("2026-03-27T21:30:00.000Z", "Europe/Paris", "en", "22:30"),
        ("2026-03-27T23:30:00.000Z", "Europe/Paris", "en", "Saturday 00:30"),
        ("2026-03-27T23:30:00.000Z", "UTC", "en", "23:30"),
        ("2026-03-29T16:00:00.000Z", "Europe/Paris", "fr", "dimanche 18:00"),
        ("2026-04-02T20:00:00.000Z", "Europe/Paris", "en", "Thursday 22:00"),
        ("2026-04-03T16:00:00.000Z", "Europe/Paris", "fr", "vendredi 3 avril 18:00"),
        ("2026-03-26T16:00:00.000Z", "Asia/Tokyo", "en", "Friday 27 March 01:00"),
    ],
)
def test_an_instant_is_told_as_the_clock_on_the_readers_wall_shows_it(instant, zone, language, said):
    assert local_moment(Instant(instant), ZoneInfo(zone), NOW, language) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 second"), (59.5, "1 minute"), (60.1, "2 minutes"), (3600, "1 hour"), (5400, "2 hours")],
)
def test_a_wait_is_told_rounded_up(seconds, said):
    assert at_most(seconds, "en") == said
