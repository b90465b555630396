"""``tablee verify``."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import click
import msgspec

from api.command_line.opening import log_address, opened_log
from api.command_line.options import Place, json_option, place_options
from api.command_line.output import say, say_json
from api.command_line.proof import prove
from domain.match.verification import Verdict
from services.errors import NoSuchMatch
from services.event_store.contract import EventStore

_SOMETHING_WRONG = 1


@click.command()
@click.argument("matches", metavar="MATCH...", nargs=-1)
@click.option("--all", "all_matches", is_flag=True, help="All matches of the store.")
@json_option
@place_options
@click.pass_context
def verify(
    ctx: click.Context,
    *,
    matches: tuple[str, ...],
    all_matches: bool,
    as_json: bool,
    data: Path | None,
    redis: str | None,
) -> None:
    """Prove that the logs of matches are whole and untouched.

    Versions are dense, the chain of hashes holds, every sealed value is what was sealed, the events fold, every deal is
    dealt again from the match's seed, and the store's record says the same as the log. The first bad event is named,
    and the exit code is 1.
    """
    if bool(matches) == all_matches:
        raise click.UsageError("Name matches, or say --all.")
    with log_address(Place(data, redis), purpose="tablee verify") as url:
        if not asyncio.run(_verify(url, matches, as_json=as_json)):
            ctx.exit(_SOMETHING_WRONG)


async def _verify(url: str, matches: tuple[str, ...], *, as_json: bool) -> bool:
    good = bad = archived = 0
    async with opened_log(url) as store:
        async for match in _named(store, matches):
            try:
                verdict = await prove(store, match)
            except NoSuchMatch as error:
                raise NoSuchMatch(f"There is no match {match}.") from error
            if verdict is None:
                archived += 1
                _say_archived(match, as_json=as_json)
                continue
            good, bad = good + verdict.good, bad + (not verdict.good)
            _say_verdict(verdict, as_json=as_json)
            _progress(good + bad)
    _progress(None)
    if not as_json:
        more = f", {archived} archived" if archived else ""
        say(f"{good + bad} verified: {good} good, {bad} bad{more}.")
    return not bad


async def _named(store: EventStore, matches: tuple[str, ...]) -> AsyncIterator[str]:
    if not matches:
        async for match in store.matches():
            yield match
    for match in matches:
        yield match


def _say_verdict(verdict: Verdict, *, as_json: bool) -> None:
    if as_json:
        say_json({**msgspec.to_builtins(verdict), "good": verdict.good})
        return
    if not verdict.good:
        say(f"BAD   {verdict.match}  event {verdict.bad_version}: {verdict.code}: {verdict.detail}")
        return
    parts = [f"{verdict.events} events", f"{verdict.openings} openings", f"{verdict.deals} deals recomputed"]
    say(f"good  {verdict.match}  {', '.join(parts)}, head {verdict.head}")


def _say_archived(match: str, *, as_json: bool) -> None:
    if as_json:
        say_json({"match": match, "archived": True})
    else:
        say(f"-     {match}  archived: its events are no longer in this store")


def _progress(count: int | None) -> None:
    """Show on a terminal how far the work is; None takes that away again."""
    if sys.stderr.isatty() and not sys.stdout.isatty():
        click.echo("\r\033[K" if count is None else f"\r{count} verified", nl=False, err=True)
