"""``tablee club channel``: the chat where a club's tables are told."""

import click

from api.command_line.call import Call, call_options
from api.command_line.group import CommandFailed
from domain.errors import Refused
from services.bootstrap import present_instant
from services.bootstrap.log_parts import LogParts
from services.bootstrap.notices import reaching
from services.bootstrap.people import with_people
from services.errors import NoSuchContact
from services.notices.channels.shapes import SHAPES
from services.notices.club_channels import ClubChannels, kinds_of, shape_of
from services.notices.club_occasions import CLUB_KINDS
from services.people.contacts import Contact
from services.people.persons import Person
from services.process.settings import present_secret
from services.words.refusals import refusal_text


@click.command()
@click.argument("club_id", metavar="CLUB")
@click.option(
    "--address", help="Post there from now on, once a test has arrived. It replaces the present one."
)
@click.option(
    "--shape", type=click.Choice(tuple(SHAPES)), default="json", help="What the program there takes."
)
@click.option(
    "--tell",
    multiple=True,
    type=click.Choice(CLUB_KINDS),
    help="What is told: tables that wait for players, results, who is to move. Repeat it.",
)
@click.option("--remove", is_flag=True, help="Take the channel away.")
@call_options()
def channel(
    *, club_id: str, address: str | None, shape: str, tell: tuple[str, ...], remove: bool, call: Call
) -> None:
    """Show the chat where a club's tables are told, give another, choose what is told there, or take it away."""
    if remove and (address or tell):
        raise click.UsageError("Take the channel away, or say what it is to be.")
    settings = call.location.settings()

    secret = present_secret(settings) or b""

    async def work(parts: LogParts) -> Contact | None:
        if await parts.clubs.of(club_id) is None:
            raise CommandFailed(f"There is no club {club_id}: `tablee club list`.")
        people = with_people(parts, secret)
        channels = ClubChannels(people.contacts)
        if remove:
            await channels.take_away(club_id)
        elif address:
            sender = reaching(people, settings)
            nobody = Person("", present_instant())
            await channels.give(sender, club_id, address, shape, tell, host=nobody, asked_from="")
        elif tell:
            await channels.choose(club_id, tell)
        return await channels.of(club_id)

    try:
        _say_channel(call, club_id, call.work(work))
    except NoSuchContact as error:
        raise CommandFailed(f"{club_id} has no channel: say --address URL.") from error
    except Refused as refusal:
        said = refusal_text(refusal.code, refusal.rule, refusal.arguments, "en")
        raise CommandFailed(str(said)) from refusal


def _say_channel(call: Call, club_id: str, contact: Contact | None) -> None:
    if contact is None:
        call.say({"club": club_id, "channel": None}, f"{club_id} is told nowhere.")
        return
    told, shape = kinds_of(contact), shape_of(contact)
    shown = {"address": contact.address, "shape": shape, "tells": told, "off": contact.off}
    works = f" Nothing is sent there any more: {contact.off}." if contact.off else ""
    call.say(
        {"club": club_id, "channel": shown},
        f"{club_id} tells {', '.join(told)} to {contact.address} ({shape}).{works}",
    )
