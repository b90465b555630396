"""Every route has a row and every row a route; the page in the documents is the table."""

import os

import pytest

from api.application import create_app
from api.permissions.page import permissions_page
from api.permissions.rules import PHASES, RULES_IN_ORDER
from api.permissions.table import RULES, RouteWithoutRow, routes_of, rule_of
from domain.match.decide_table import VISIBILITIES
from services.process.settings import Settings
from tests.kit.checkout import ROOT

PAGE = ROOT / "docs" / "reference" / "permissions.md"


def test_every_route_has_a_row_and_every_row_a_route():
    app = create_app(Settings(), pytest.fail)
    served = {f"{method} {path}" for method, path in routes_of(app)}
    assert served - RULES.keys() == set(), "say in api/permissions/table.py who may use these"
    assert RULES.keys() - served == set(), "api/permissions/table.py has rows of routes that are gone"


def test_a_route_without_a_row_is_not_served():
    with pytest.raises(RouteWithoutRow, match="GET /elsewhere"):
        rule_of("GET", "/elsewhere")


def test_every_rule_of_matches_speaks_of_every_kind_of_match():
    every = {(shown, phase) for shown in (*VISIBILITIES, "club") for phase in PHASES}
    for rule in RULES_IN_ORDER:
        assert rule.cells is None or rule.cells.keys() == every, rule.name
        assert (rule.cells is None) or rule.refusal, rule.name
    assert {rule.name for rule in RULES.values()} == {rule.name for rule in RULES_IN_ORDER}


def test_the_page_is_the_table():
    """``UPDATE_GOLDEN=1`` writes it anew."""
    written = permissions_page()
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(written)
    assert PAGE.read_text() == written
