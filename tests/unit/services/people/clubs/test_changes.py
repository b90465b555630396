"""What a club becomes, and who may do what to it."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.errors import Refused, TableeError
from domain.instants import Instant, after
from services.errors import ClubRoleNeeded, NoSuchClub, NoSuchInvitation, NoSuchMember
from services.people.clubs.changes import (
    OPERATOR,
    begun,
    closed,
    invited,
    joined,
    left,
    member_of,
    passed_on,
    removed,
    require,
    revoked,
    with_role,
    with_terms,
    without,
)
from services.people.clubs.club import (
    MOST_INVITATIONS,
    MOST_MEMBERS,
    TOLD_DAYS,
    Club,
    Invitation,
    Member,
    TableDefaults,
)
from services.people.clubs.roles import RIGHTS, ROLES, STANDINGS, Action, may, rights_of
from services.words.clubs import ACTION_NAMES, ROLE_NAMES

NOW = Instant("2026-11-30T12:00:00.000Z")
DAY = 24 * 3600


def later(days: float) -> Instant:
    return after(NOW, days * DAY)


def member(person: str, role="member") -> Member:
    return Member(f"n-{person}", person, role, NOW)


def invitation(code: str = "code", **more) -> Invitation:
    given = {"role": "member", "uses": 2, "since": NOW, "expires": later(7), **more}
    return Invitation(f"i-{code}", code, **given)


HANNA, MAX, GINO = member("hanna", "host"), member("max"), member("gino", "guest")
CLUB = Club("c1", "Thursday", NOW, (HANNA, MAX, GINO), (invitation(),))
ACTORS = {"guest": "gino", "member": "max", "host": "hanna", "operator": OPERATOR}

CHANGES = {
    "see": lambda club, actor: require(club, actor, "see"),
    "watch": lambda club, actor: require(club, actor, "watch"),
    "sit": lambda club, actor: require(club, actor, "sit"),
    "make_tables": lambda club, actor: require(club, actor, "make_tables"),
    "make_leagues": lambda club, actor: require(club, actor, "make_leagues"),
    "run_leagues": lambda club, actor: require(club, actor, "run_leagues"),
    "list_clubs": lambda club, actor: require(club, actor, "list_clubs"),
    "leave": left,
    "invite": lambda club, actor: invited(club, actor, invitation("other"), NOW),
    "set_terms": lambda club, actor: with_terms(club, actor, "Friday", None),
    "give_roles": lambda club, actor: with_role(club, actor, GINO.id, "member"),
    "remove": lambda club, actor: removed(club, actor, GINO.id, NOW),
    "pass_on": lambda club, actor: passed_on(club, actor, MAX.id),
    "close": closed,
}


class TestRights:
    @pytest.mark.parametrize("standing", STANDINGS)
    @pytest.mark.parametrize("action", get_args(Action))
    def test_every_role_does_what_the_table_says_and_nothing_else(self, standing, action):
        club = replace(CLUB, members=(*CLUB.members, member("second", "host")))
        if may(standing, action):
            CHANGES[action](club, ACTORS[standing])
        else:
            with pytest.raises(ClubRoleNeeded):
                CHANGES[action](club, ACTORS[standing])

    @pytest.mark.parametrize("action", get_args(Action))
    def test_for_somebody_outside_there_is_no_club(self, action):
        assert not may(None, action)
        with pytest.raises(NoSuchClub):
            CHANGES[action](CLUB, "stranger")

    def test_more_trust_takes_no_right_away(self):
        guest, ordinary, host = (set(rights_of(role)) for role in ROLES)
        assert guest < ordinary < host

    def test_every_role_and_every_action_has_its_words(self):
        assert set(ROLE_NAMES) == set(STANDINGS)
        assert set(ACTION_NAMES) == set(RIGHTS) == set(get_args(Action))


class TestInvitations:
    def test_whoever_has_the_code_becomes_what_it_says(self):
        club = joined(CLUB, "code", member("zoe", "guest"), NOW)
        assert club.role("zoe") == "member"
        assert club.invitations[0].used == 1

    def test_whoever_is_in_uses_nothing_up(self):
        for person in ("hanna", "max"):
            assert joined(CLUB, "code", member(person), NOW) is CLUB

    def test_a_guest_becomes_a_member_by_a_members_invitation(self):
        club = joined(CLUB, "code", member("gino"), NOW)
        assert club.role("gino") == "member"
        assert [one.person for one in club.members] == ["hanna", "max", "gino"]

    def test_nobody_loses_a_role_by_an_invitation(self):
        club = replace(CLUB, invitations=(invitation("guests", role="guest"),))
        assert joined(club, "guests", member("hanna"), NOW) is club

    @pytest.mark.parametrize(
        ("made", "code"),
        [
            (invitation(used=2), "invitation.used_up"),
            (invitation(expires=NOW), "invitation.expired"),
            (invitation(is_revoked=True), "invitation.revoked"),
            (invitation(is_revoked=True, used=2, expires=NOW), "invitation.revoked"),
        ],
    )
    def test_what_is_over_lets_nobody_in_and_says_why(self, made, code):
        with pytest.raises(Refused) as refused:
            joined(replace(CLUB, invitations=(made,)), "code", member("zoe"), NOW)
        assert refused.value.code == code

    def test_an_unknown_code_leads_nowhere(self):
        with pytest.raises(NoSuchInvitation):
            joined(CLUB, "other", member("zoe"), NOW)
        with pytest.raises(NoSuchInvitation):
            revoked(CLUB, "hanna", "i-other")

    def test_a_full_club_takes_nobody(self):
        full = replace(CLUB, members=(*CLUB.members, *(member(f"m{n}") for n in range(MOST_MEMBERS - 3))))
        with pytest.raises(Refused, match=r"club\.full"):
            joined(full, "code", member("zoe"), NOW)
        assert joined(full, "code", member("gino"), NOW).role("gino") == "member"

    def test_a_request_sent_again_invites_once(self):
        club = invited(CLUB, "hanna", invitation("other"), NOW)
        assert invited(club, "hanna", invitation("other"), later(1)) == club

    def test_hosts_are_invited_by_the_operator_only(self):
        with pytest.raises(Refused, match=r"invitation\.for_hosts"):
            invited(CLUB, "hanna", invitation("hosts", role="host"), NOW)
        club = invited(CLUB, OPERATOR, invitation("hosts", role="host"), NOW)
        assert joined(club, "hosts", member("max"), NOW).role("max") == "host"

    def test_open_invitations_are_limited_and_those_that_are_over_make_room(self):
        club = CLUB
        for number in range(MOST_INVITATIONS - 1):
            club = invited(club, "hanna", invitation(f"open{number}"), NOW)
        with pytest.raises(Refused, match=r"invitation\.too_many"):
            invited(club, "hanna", invitation("more"), NOW)
        club = revoked(club, "hanna", "i-open0")
        club = invited(club, "hanna", invitation("more"), NOW)
        assert club.invitation("open0") is not None  # it still says why

    def test_however_many_were_made_few_are_kept(self):
        club = CLUB
        for number in range(5 * MOST_INVITATIONS):
            club = invited(club, "hanna", invitation(f"o{number}"), NOW)
            club = revoked(club, "hanna", f"i-o{number}")
        assert len(club.invitations) <= 2 * MOST_INVITATIONS
        gone = invited(club, "hanna", invitation("last", expires=later(99)), later(8 + TOLD_DAYS))
        assert [one.code for one in gone.invitations] == ["last"]


class TestGoing:
    def test_the_last_host_does_not_leave_others_alone(self):
        for change in (
            lambda: left(CLUB, "hanna"),
            lambda: removed(CLUB, "hanna", HANNA.id, NOW),
            lambda: with_role(CLUB, "hanna", HANNA.id, "guest"),
        ):
            with pytest.raises(Refused, match=r"club\.last_host"):
                change()

    def test_the_last_member_closes_the_club(self):
        alone = replace(CLUB, members=(HANNA,))
        assert left(alone, "hanna") is None
        assert without(alone, "hanna") is None

    def test_a_club_is_passed_on(self):
        club = passed_on(CLUB, "hanna", GINO.id)
        assert (club.role("gino"), club.role("hanna")) == ("host", "member")
        assert left(club, "hanna") is not None
        assert passed_on(CLUB, "hanna", HANNA.id) == CLUB

    def test_whoever_was_removed_is_outside(self):
        club = removed(CLUB, "hanna", MAX.id, NOW)
        assert club is not None
        assert club.role("max") is None
        with pytest.raises(NoSuchMember):
            removed(club, "hanna", MAX.id, NOW)

    def test_after_an_erased_host_the_oldest_member_is_host(self):
        club = without(replace(CLUB, members=(GINO, HANNA, MAX)), "hanna")
        assert club is not None
        assert (club.role("max"), club.role("gino")) == ("host", "guest")
        club = without(club, "max")
        assert club is not None
        assert club.role("gino") == "host"
        assert without(club, "somebody else") == club


class TestTerms:
    def test_what_is_not_said_stays(self):
        club = with_terms(CLUB, "hanna", None, TableDefaults(clock=3600))
        assert (club.name, club.defaults.clock) == ("Thursday", 3600)
        assert with_terms(club, "hanna", " Friday \u202e night ", None).name == "Friday night"

    @pytest.mark.parametrize("name", ["", "  ", "\u202e\n"])
    def test_a_club_has_a_name(self, name):
        with pytest.raises(Refused, match=r"club\.name_missing"):
            with_terms(CLUB, "hanna", name, None)
        with pytest.raises(Refused, match=r"club\.name_missing"):
            begun("c2", name, NOW, HANNA)


PEOPLE = st.sampled_from([OPERATOR, *(f"p{number}" for number in range(5))])
STEPS = st.one_of(
    st.tuples(st.just("join"), PEOPLE, st.sampled_from(["m", "g", "h"])),
    st.tuples(st.just("leave"), PEOPLE, st.none()),
    st.tuples(st.just("remove"), PEOPLE, PEOPLE),
    st.tuples(st.just("role"), PEOPLE, st.tuples(PEOPLE, st.sampled_from(ROLES))),
    st.tuples(st.just("pass on"), PEOPLE, PEOPLE),
    st.tuples(st.just("erase"), PEOPLE, st.none()),
)


def carried_out(club: Club, what: str, actor: str, about) -> Club | None:
    match what:
        case "join":
            return joined(club, about, member(actor), NOW) if actor != OPERATOR else club
        case "leave":
            return left(club, actor)
        case "remove":
            return removed(club, actor, f"n-{about}", NOW)
        case "role":
            return with_role(club, actor, f"n-{about[0]}", about[1])
        case "pass on":
            return passed_on(club, actor, f"n-{about}")
    return without(club, actor)


@given(st.lists(STEPS, max_size=30))
def test_whatever_happens_a_club_with_people_has_a_host_and_nobody_twice(steps):
    codes = {"m": "member", "g": "guest", "h": "host"}
    club = Club(
        "c1",
        "Thursday",
        NOW,
        (member("p0", "host"),),
        tuple(invitation(code, role=role, uses=3) for code, role in codes.items()),
    )
    for what, actor, about in steps:
        try:
            after_it = carried_out(club, what, actor, about)
        except TableeError:
            continue
        if after_it is None:
            assert len(club.members) == 1
            return
        club = after_it
        assert club.hosts
        assert len({one.person for one in club.members}) == len(club.members)
        assert all(one.used <= one.uses for one in club.invitations)
        assert all(member_of(club, one.id) == one for one in club.members)
