"""All addresses of the operator's pages."""

from litestar import Router
from litestar.exceptions import HTTPException

from api.ops import (
    entering,
    match_event,
    match_events,
    match_head,
    match_reissue,
    match_tail,
    matches,
    notices,
    queues,
)
from api.ops.access import OPS, NotAnOperator, locked_page
from api.ops.rendering import failed_here, refused_here, rejected_here
from domain.errors import TableeError


def operator_pages() -> Router:
    """Return the router of the operator's pages; all but the entrance are for operators only."""
    inside = Router(
        "/",
        route_handlers=[
            matches.show_matches,
            queues.show_queues,
            queues.retry_job,
            queues.discard_job,
            queues.rebuild_projection,
            notices.retry_notice,
            match_head.show_match,
            match_head.unseal_match,
            match_reissue.show_reissue,
            match_reissue.reissue_seat,
            match_events.show_events,
            match_event.show_event,
            match_event.show_stored_bytes,
            match_tail.show_tail,
            match_tail.show_new_rows,
            match_tail.watch_match,
            entering.show_keys,
            entering.leave,
        ],
    )
    return Router(
        OPS,
        route_handlers=[entering.show_entrance, entering.enter, inside],
        exception_handlers={
            NotAnOperator: locked_page,
            TableeError: refused_here,
            HTTPException: rejected_here,
            Exception: failed_here,
        },
    )
