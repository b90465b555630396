"""How people are told apart at a table."""

from hypothesis import given
from hypothesis import strategies as some

from api.pages.people import monograms

NAMES = some.lists(
    some.text(some.characters(exclude_categories=("C", "Z")), min_size=1, max_size=24), max_size=8
)


def test_monograms_are_initials_else_first_letters_else_seats():
    assert monograms(("Anna", "Bert", "Bot 3")) == ("A", "B", "B3")
    assert monograms(("Anna", "Arne", "Anna Lena")) == ("An", "Ar", "AL")
    assert monograms(("Anna", "Anton")) == ("A1", "A2")


@given(NAMES)
def test_no_two_people_have_the_same_monogram(names):
    found = monograms(tuple(names))
    assert len(found) == len(names)
    assert all(0 < len(one) <= 3 for one in found)
    assert len(set(found)) == len(found)
