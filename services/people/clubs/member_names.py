"""How the members of a club are called."""

from collections.abc import Mapping

from services.people.clubs.club import Club
from services.people.persons import Persons
from services.words.phrases import phrase, words_in


async def member_names(persons: Persons, club: Club, language: str) -> Mapping[str, str]:
    """Return by their ids how members are called: by their own names, with a number after a name that was there."""
    known = await persons.of_many([member.person for member in club.members])
    words, shown, taken = words_in(language), dict[str, str](), dict[str, int]()
    for number, (member, person) in enumerate(zip(club.members, known, strict=True), 1):
        name = person.name if person is not None else ""
        name = name or words.say(phrase("Member {number}"), number=number)
        times = taken[name.casefold()] = taken.get(name.casefold(), 0) + 1
        shown[member.id] = name if times == 1 else f"{name} ({times})"
    return shown
