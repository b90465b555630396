"""All addresses of the operator's pages."""

from litestar import Router
from litestar.exceptions import HTTPException

from api.ops import entering, keys, matches
from api.ops.access import DESK, NotAnOperator, locked_page, operator_only
from api.ops.refusals import failed_here, refused_here, rejected_here
from domain.errors import TableeError


def desk() -> Router:
    """Return the router of the operator's pages; all but the entrance are for operators only."""
    inside = Router(
        "/",
        route_handlers=[matches.show_matches, keys.show_keys, entering.leave],
        guards=[operator_only],
    )
    return Router(
        DESK,
        route_handlers=[entering.show_entrance, entering.enter, inside],
        exception_handlers={
            NotAnOperator: locked_page,
            TableeError: refused_here,
            HTTPException: rejected_here,
            Exception: failed_here,
        },
    )
