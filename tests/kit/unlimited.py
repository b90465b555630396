"""A service whose clients all come from one address, more often than a club's people do."""

from typing import Final

UNLIMITED: Final = {
    f"TABLEE_{who}": "0"
    for who in (
        "PERSON_RATE",
        "ADDRESS_RATE",
        "PERSON_TABLES",
        "ADDRESS_TABLES",
        "ADDRESS_PERSONS",
        "PERSON_SEATS",
        "ADDRESS_SEATS",
        "TABLE_SEATS",
        "ADDRESS_TRIES",
    )
}
"""The variables of a service that lets everybody ask for as much as they like."""
