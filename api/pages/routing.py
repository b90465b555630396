"""All addresses of the pages, for the application."""

from litestar import Router
from litestar.exceptions import HTTPException

from api.pages import (
    commands,
    contacts,
    feeds,
    forking,
    home,
    new_table,
    notices,
    replay,
    rules,
    sitting,
    static_files,
    stream,
    table_pages,
)
from api.pages.refusals import failed_page, refused_page, rejected_page
from domain.errors import TableeError


def pages() -> Router:
    """Return the router of the pages: what goes wrong there is told on a page."""
    return Router(
        "/",
        route_handlers=[
            home.show_tables,
            home.choose_language,
            new_table.show_form,
            new_table.make_table,
            sitting.show_free_seats,
            sitting.sit,
            sitting.prove_seat,
            table_pages.show_table,
            table_pages.show_fragment,
            table_pages.show_history,
            replay.show_replay,
            replay.show_changes,
            forking.show_fork,
            forking.begin_fork,
            table_pages.come_back,
            commands.make_move,
            commands.press,
            rules.list_rules,
            rules.show_rules,
            rules.show_keys,
            notices.show_notices,
            notices.choose,
            feeds.follow,
            feeds.show_calendar,
            feeds.ask_to_stop,
            feeds.stop,
            contacts.show_contacts,
            contacts.give_mailbox,
            contacts.confirm_by_code,
            contacts.take_away,
            contacts.show_confirmation,
            contacts.confirm,
            stream.watch_my_tables,
            static_files.static_file,
        ],
        exception_handlers={
            TableeError: refused_page,
            HTTPException: rejected_page,
            Exception: failed_page,
        },
    )
