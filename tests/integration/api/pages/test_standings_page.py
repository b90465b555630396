"""The page of a club's standings."""

from itertools import pairwise

from api.pages.clubs.standings import strengths
from api.pages.plots import HEIGHT, WIDTH, curves
from services.standings.ratings import courses
from services.standings.results import Entrant, Result
from tests.integration.api.pages.conftest import Pages


def results(count: int) -> list[Result]:
    return [
        Result(f"m{number}", "lama", number, (Entrant("a", 1, 3), Entrant("b", 2, 9)))
        for number in range(count)
    ]


async def test_an_empty_club_is_told_what_to_do(pages: Pages):
    anna = pages.reader()
    await anna.make_table("lama", "me", "bot", name="Anna")
    await anna.get("/c")
    await anna.submit("/c", club="Thursday")
    club = "/c/" + anna.page.url.path.split("/")[2]
    await anna.get(f"{club}/standings")
    assert anna.page.status_code == 200
    assert "its result will stand here" in anna.page.text
    await anna.get(f"{club}/standings.csv")
    assert anna.page.text.startswith("rank,member,name")
    stranger = pages.reader()
    assert (await stranger.get(f"{club}/standings")).status_code in {403, 404}


def test_a_plot_stays_within_its_frame_and_names_its_lines():
    called = {"a": "Anna", "b": "Bert"}
    drawn = curves(["a", "b"], strengths(results(30)), called)
    assert [curve.name for curve in drawn] == ["Anna", "Bert"]
    for curve in drawn:
        points = [tuple(map(float, point.split(","))) for point in curve.points.split()]
        assert len(points) == 30
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)
    assert drawn[0].end < drawn[1].end  # who is stronger ends higher up
    assert curves(["a", "b"], strengths(results(1)), called) == []


def test_names_of_a_plot_never_lie_on_each_other():
    names = {str(number): f"N{number}" for number in range(6)}
    level = [dict.fromkeys(names, 0.0), {key: 3.0 if key == "5" else 0.0 for key in names}]
    drawn = curves(list(names), level, names)
    ends = sorted(curve.end for curve in drawn)
    assert all(below - above >= 16 for above, below in pairwise(ends))
    assert ends[-1] <= HEIGHT
    assert drawn[5].end == ends[0]


def test_a_plot_of_many_matches_has_few_points():
    assert len(courses(results(1001), most=100)) <= 101
    assert courses(results(1001), most=100)[-1] == courses(results(1001))[-1]
