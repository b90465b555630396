"""Recomputing deals: comparing what the log recorded with what the opened seed must have dealt."""

import hashlib
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from domain.chance import Chance
from domain.entries import FORMAT, Envelope
from domain.errors import BrokenLog
from domain.games.contract import AnyGame
from domain.games.recorded_chance import (
    RecordedPick,
    RecordedShuffle,
    digest_of,
    pick_of,
    shuffle_of,
)
from domain.games.redealing import in_list_order
from domain.games.registry import GAMES
from domain.match.codec import CREATION_CODEC, codec_of
from domain.match.decide_gathering import AHEAD_SINCE
from domain.match.events import (
    MatchCreated,
    MatchForked,
    NonceAnnounced,
    NonceShown,
    ReadinessVoided,
    SeatLeft,
    SeatReady,
    SeatTaken,
)
from domain.match.fold import unfoldable
from domain.match.state import Terms
from domain.match.upcasting import NewerRelease
from domain.sealing import Event, Opening, audiences, salt_of, sealed_fields

_SEATING = frozenset(
    kind.__name__ for kind in (SeatTaken, SeatLeft, SeatReady, NonceAnnounced, NonceShown, ReadinessVoided)
)


class _CreationInPublic(msgspec.Struct, frozen=True):
    terms: Terms
    chance: str = ""


class Dealing:
    """Follows a log, complete or redacted, and recomputes its shuffles and draws as far as they are open.

    Attributes:
        checked: How many shuffles and draws were recomputed and found correct.
        sealed: How many deals are still sealed.
    """

    def __init__(self) -> None:
        self.checked = self.sealed = 0
        self._terms: Terms | None = None
        self._seed = ""
        self._hashes: dict[int, str] = {}
        self._nonces: dict[int, str] = {}
        self._inherited: Chance | None = None

    def take(self, envelope: Envelope, data: Mapping[str, Any], openings: tuple[Opening, ...]) -> None:
        """Check the next event, with its public data decoded.

        Raises:
            BrokenLog: A deal, a draw, a seal or a nonce is wrong.
        """
        try:
            if envelope.v == 1:
                self._begin(envelope, openings)
            elif envelope.type in _SEATING:
                self._seat(envelope)
            elif self._terms is not None:
                self._look(envelope, data, openings, self._terms)
            self._seals(envelope, data, openings)
        except NewerRelease as error:
            raise unfoldable(envelope.v, error) from None
        except (msgspec.DecodeError, LookupError, TypeError, ValueError) as error:
            raise BrokenLog("log.unreadable", envelope.v, f"{type(error).__name__}: {error}") from None

    def _begin(self, envelope: Envelope, openings: tuple[Opening, ...]) -> None:
        if envelope.type != MatchCreated.__name__:
            raise BrokenLog("log.no_beginning", 1, f"the first event is {envelope.type}")
        created = msgspec.json.decode(envelope.data, type=_CreationInPublic)
        terms = created.terms
        if (terms.game, terms.rules) not in GAMES:
            raise BrokenLog("log.unknown_rules", 1, f"{terms.game} under rules number {terms.rules}")
        fewest, most = GAMES[terms.game, terms.rules].seats
        if not fewest <= terms.seats <= most:
            raise BrokenLog("log.unknown_rules", 1, f"{terms.game} with {terms.seats} seats")
        # Matches of releases up to 0.2.0 do not say it.
        if created.chance not in {"", digest_of(GAMES[terms.game, terms.rules].chance())}:
            raise BrokenLog("log.unknown_rules", 1, f"{terms.game} deals in another way here")
        self._terms = terms
        for opening in openings:
            if opening.field == "seed":
                self._seed = msgspec.json.decode(opening.value, type=str)

    def _seat(self, envelope: Envelope) -> None:
        event = CREATION_CODEC.event(envelope, ())
        if isinstance(event, SeatTaken | NonceAnnounced):
            self._hashes[event.seat] = event.nonce_hash
        elif isinstance(event, SeatLeft):
            self._nonces.pop(event.seat, None)
        elif isinstance(event, ReadinessVoided):
            for seat in event.seats:
                self._nonces.pop(seat, None)
                self._hashes.pop(seat, None)
        elif isinstance(event, SeatReady | NonceShown):
            announced = self._hashes.get(event.seat, "")
            shows = event.nonce or self._terms is None or self._terms.table < AHEAD_SINCE
            if announced and shows and hashlib.sha256(event.nonce.encode()).hexdigest() != announced:
                raise BrokenLog("nonce.differs", envelope.v, f"seat {event.seat} revealed another nonce")
            self._nonces[event.seat] = event.nonce

    def _look(
        self, envelope: Envelope, data: Mapping[str, Any], openings: tuple[Opening, ...], terms: Terms
    ) -> None:
        game = GAMES[terms.game, terms.rules]
        fields = sealed_fields(data)
        if not self._seed or fields.keys() - {opening.field for opening in openings}:
            self.sealed += envelope.type in _deal_types(game)
            return
        event = codec_of(terms.game, terms.rules, terms.format).event(envelope, openings)
        if isinstance(event, MatchForked) and event.entropy.seed:
            self._inherited = event.entropy.chance
        chance = self._inherited or Chance(
            self._seed, tuple(self._nonces.get(seat, "") for seat in range(terms.seats))
        )
        self._recompute(game, event, chance, envelope.v)

    def _recompute(self, game: AnyGame, event: Event, chance: Chance, version: int) -> None:
        if type(event) not in game.event_types:
            return
        shuffle, pick = shuffle_of(event), pick_of(event)
        if shuffle is not None:
            _check_shuffle(game, shuffle, chance, version)
            self.checked += 1
        if pick is not None:
            _check_pick(pick, chance, version)
            self.checked += 1

    def _seals(self, envelope: Envelope, data: Mapping[str, Any], openings: tuple[Opening, ...]) -> None:
        terms = self._terms
        if terms is not None and terms.format == FORMAT:
            self._audiences(envelope, data, openings, codec_of(terms.game, terms.rules).kind(envelope))
        for opening in openings:
            if self._seed and salt_of(self._seed, envelope.v, opening.field).hex() != opening.salt:
                raise BrokenLog(
                    "seal.salt_differs",
                    envelope.v,
                    f"the salt of {opening.field} does not come from the seed",
                )

    def _audiences(
        self, envelope: Envelope, data: Mapping[str, Any], openings: tuple[Opening, ...], kind: type[Event]
    ) -> None:
        allowed = audiences(kind, data)
        sealed = sealed_fields(data).keys()
        if unknown := {field.partition("/")[0] for field in sealed} - {*kind.__struct_fields__}:
            raise NewerRelease(f"{', '.join(sorted(unknown))} of {envelope.type}")
        if sealed != allowed.keys():
            raise BrokenLog("seal.other_fields", envelope.v, f"{envelope.type} seals {sorted(allowed)}")
        for opening in openings:
            # The chain does not hash openings, so who may have them must follow from the event itself.
            if opening.seats != allowed[opening.field]:
                raise BrokenLog("seal.audience_differs", envelope.v, f"{opening.field} for {opening.seats}")


@cache
def _deal_types(game: AnyGame) -> frozenset[str]:
    return frozenset(game.chance().shuffles.keys() | game.chance().picks.keys())


def _check_shuffle(game: AnyGame, shuffle: RecordedShuffle, chance: Chance, version: int) -> None:
    if shuffle.whole and Counter(shuffle.order) != Counter(game.cards):
        raise BrokenLog("deal.other_cards", version, "the dealt cards are not the game's cards")
    expected = chance.shuffle(in_list_order(shuffle.order, game.cards), shuffle.round, shuffle.number)
    if expected != shuffle.order:
        raise BrokenLog("deal.differs", version, f"round {shuffle.round} was not dealt by the opened seed")


def _check_pick(pick: RecordedPick, chance: Chance, version: int) -> None:
    if chance.pick(pick.below, pick.purpose) != pick.value:
        raise BrokenLog("draw.differs", version, f"{pick.purpose} was not drawn from the opened seed")
