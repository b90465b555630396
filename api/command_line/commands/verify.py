"""``tablee verify``."""

import sys
from collections.abc import Iterable
from pathlib import Path

import click
import msgspec
from msgspec.structs import replace

from api.command_line.call import Call, call_options, require_good
from api.command_line.doctoring import proof_of
from api.command_line.group import CommandFailed
from api.command_line.opening import LogAddress, work_on
from api.command_line.options import jobs_option
from api.command_line.output import number_of, say
from api.command_line.remote import Remote, asked, shown
from api.command_line.values import MATCH_ID
from domain.match import verification as proof
from domain.match.verification import Verdict
from services.audit.digest_format import Digest, read_digest
from services.audit.errors import DigestUnreadable
from services.audit.published import Compared, Finding, compare, row_of
from services.bootstrap.log_parts import LogParts
from services.errors import NoSuchMatch
from services.watch.doctor.diagnosis import Diagnosis, contradicts
from services.watch.doctor.examination import Examined


@click.command()
@click.argument("matches", metavar="MATCH...", nargs=-1, type=MATCH_ID)
@click.option("--all", "all_matches", is_flag=True, help="All matches, including those in the archive.")
@click.option(
    "--against",
    multiple=True,
    metavar="DIGEST-FILE",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Compare the row of digests, and all matches in it, with this digest that somebody kept.",
)
@jobs_option
@call_options(remote=True)
def verify(
    *, matches: tuple[str, ...], all_matches: bool, against: tuple[Path, ...], jobs: int, call: Call
) -> None:
    """Prove that the logs of matches are whole and untouched, in the store and in the archive.

    Versions must be dense, the chain of hashes must hold, and every opened value must be the one that was sealed. The
    store's record must agree with the log. Every deal is dealt again from the sealed seed, and every command is decided
    again by the rules of the game: whose turn it was, what was legal, points, totals, ranking. The command names the
    first bad event and exits with 1.

    --all also compares the logs with everything else that the installation knows: the feed, the rows of lists, the due
    index, the archive and the digests. It names matches that are gone.

    Whoever holds the store and the archive could write all of it anew. --against looks in the logs for heads that were
    published before and kept elsewhere, and so finds what was rewritten, cut off or lost since.
    """
    if bool(matches) + all_matches + bool(against) != 1:
        raise click.UsageError(
            "Name matches, or say --all, or name a digest with --against DIGEST-FILE: one of the three."
        )
    call.refuse_with_server("what is missing is seen with the store only", against=against or None)
    if call.remote is not None:
        good = _verify_of(call, call.remote, matches)
        if not call.as_json:
            say("Only the logs that the service shows were checked, not what it keeps beside them.")
        require_good(good)
        return
    with call.log() as log:
        if against:
            given = [_read(file) for file in against]
            good = work_on(log, lambda parts: _against(call, parts, given))
        else:
            good = _verify(call, log, None if all_matches else list(matches), jobs)
    require_good(good)


def _verify(call: Call, log: LogAddress, matches: list[str] | None, jobs: int) -> bool:
    """Verify matches; None for all, and everything else that the installation knows."""
    count, proof = proof_of(log, matches, jobs)
    judged = (_judged(one, named=matches is not None) for one in proof.examined)
    good = _told(call, judged, count)
    rest = proof.rest()
    for one in rest:
        _say_rest(call, one)
    if matches is None and not call.as_json:
        agrees = number_of(len(rest), "contradiction") if rest else "all agrees"
        say(f"What else the installation knows: {agrees}.")
    return good and not rest


def _judged(examined: Examined, *, named: bool) -> list[Verdict]:
    """Return the verdict on a match, with everything else that contradicts its log behind it."""
    verdict = examined.verdict or Verdict(examined.match)
    wrong = [one for one in examined.findings if contradicts(one) and one.code != verdict.code]
    others = [
        replace(verdict, code=one.code, bad_version=max(1, one.version), detail=one.found.removesuffix("."))
        for one in wrong
    ]
    if named and verdict.code == "meta.missing" and not verdict.events:
        raise NoSuchMatch(examined.match)
    return others if verdict.good and others else [verdict, *others]


def _say_rest(call: Call, one: Diagnosis) -> None:
    told = {"match": one.match, "code": one.code, "version": one.version, "detail": one.found, "good": False}
    where = f"  event {one.version}" if one.version else ""
    subject = f"{one.match}{where}: " if one.match else ""
    call.say(told, f"BAD   {subject}{one.code}: {one.found}")


def _verify_of(call: Call, remote: Remote, matches: tuple[str, ...]) -> bool:
    """Verify what a service shows, without believing it; what is still sealed is counted as not checked."""
    with asked(remote) as client:
        chosen = list(matches) or [row.match for row in client.matches()]
        found = ((match, shown(client, match)) for match in chosen)
        verdicts = (
            [proof.verify(match, seen.entries, complete=seen.over, rules=True)] for match, seen in found
        )
        return _told(call, verdicts, len(chosen))


def _told(call: Call, verdicts: Iterable[list[Verdict]], count: int) -> bool:
    good = bad = 0
    for some in verdicts:
        good, bad = good + some[0].good, bad + (not some[0].good)
        for verdict in some:
            call.say({**msgspec.to_builtins(verdict), "good": verdict.good}, _line(verdict))
        _progress(f"{good + bad} of {count} verified")
    _progress("")
    if not call.as_json:
        say(f"{good + bad} verified: {good} good, {bad} bad.")
    return not bad


def _line(verdict: Verdict) -> str:
    if not verdict.good:
        return f"BAD   {verdict.match}  event {verdict.bad_version}: {verdict.code}: {verdict.detail}"
    parts = [number_of(verdict.events, "event"), number_of(verdict.openings, "opening")]
    # The draw of who begins counts as well.
    parts.append(f"{number_of(verdict.deals, 'deal or draw', 'deals and draws')} recomputed")
    parts.append(f"{number_of(verdict.commands, 'command')} decided again")
    if verdict.sealed_deals:
        sealed = number_of(verdict.sealed_deals, "deal or draw", "deals and draws")
        parts.append(f"{sealed} sealed until the match is over")
    return f"good  {verdict.match}  {', '.join(parts)}, head {verdict.head}"


def _read(file: Path) -> Digest:
    try:
        return read_digest(file.read_bytes())
    except DigestUnreadable as error:
        raise CommandFailed(f"{file}: {error.detail}.") from error
    except OSError as error:
        raise CommandFailed(f"{file} cannot be read: {error.strerror}.") from error


async def _against(call: Call, parts: LogParts, given: list[Digest]) -> bool:
    heads = bad = 0
    row, wrong = await row_of(parts.digests, given, await parts.closed.noted_digest())
    for finding in wrong:
        _say_finding(call, finding)
    count = 0
    async for compared in compare(parts.store, row):
        count, heads = count + 1, heads + compared.heads
        bad += bool(compared.findings)
        _say_compared(call, compared)
        _progress(f"{count} matches held against {len(row)} digests")
    _progress("")
    if not call.as_json:
        say(
            f"{number_of(len(row), 'digest')}, {number_of(heads, 'published head')} found again; "
            f"{number_of(len(wrong), 'digest')} and {number_of(bad, 'match', 'matches')} bad."
        )
    return not bad and not wrong


def _say_compared(call: Call, compared: Compared) -> None:
    if not compared.findings:
        found = {"match": compared.match, "heads": compared.heads, "good": True}
        call.say(found, f"good  {compared.match}  {number_of(compared.heads, 'published head')}")
    for finding in compared.findings:
        _say_finding(call, finding)


def _say_finding(call: Call, finding: Finding) -> None:
    where = f"  event {finding.version}" if finding.version else ""
    call.say(
        {**msgspec.to_builtins(finding), "good": False},
        f"BAD   {finding.subject}{where}: {finding.code}: {finding.detail}",
    )


def _progress(told: str) -> None:
    """Show on a terminal how far the work is; nothing takes that away again."""
    if sys.stderr.isatty() and not sys.stdout.isatty():
        click.echo(f"\r\033[K{told}", nl=False, err=True)
