"""The guide to clubs has the table of roles and the limits that the code has."""

import os
import re

from services.people.clubs.club import LONGEST_DAYS, MOST_CLUBS, MOST_INVITATIONS, MOST_MEMBERS, UNUSED_DAYS
from services.people.clubs.club_tables import MOST_OPEN
from services.people.clubs.roles import RIGHTS, STANDINGS
from services.words.clubs import ACTION_NAMES, ROLE_NAMES
from tests.kit.checkout import ROOT

GUIDE = ROOT / "docs" / "learn" / "clubs.md"
MARKED = re.compile(r"(<!-- roles: [^\n]*-->\n).*?(<!-- /roles -->)", re.DOTALL)


def table() -> str:
    head = (
        f"| may | {' | '.join(ROLE_NAMES[one].text for one in STANDINGS)} |\n|---|{'---|' * len(STANDINGS)}\n"
    )
    rows = (
        f"| {ACTION_NAMES[action].text} | {' | '.join('yes' if one in who else '' for one in STANDINGS)} |\n"
        for action, who in RIGHTS.items()
    )
    return head + "".join(rows)


def test_the_guide_has_the_table_of_roles():
    """``UPDATE_GOLDEN=1`` writes it anew."""
    text = GUIDE.read_text()
    written = MARKED.sub(lambda found: f"{found[1]}\n{table()}\n{found[2]}", text)
    if os.environ.get("UPDATE_GOLDEN"):
        GUIDE.write_text(written)
    assert GUIDE.read_text() == written


def test_the_guide_has_the_limits():
    limits = GUIDE.read_text().partition("## Limits")[2]
    numbers = [int(number) for number in re.findall(r"\d+", limits)]
    assert numbers == [MOST_MEMBERS, MOST_INVITATIONS, MOST_OPEN, MOST_CLUBS, LONGEST_DAYS, UNUSED_DAYS]
