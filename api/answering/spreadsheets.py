"""Lists as files for spreadsheets (CSV, RFC 4180)."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
from litestar.response.base import ASGIResponse

CSV: Final = "text/csv"


def spreadsheet(kind: type[msgspec.Struct], rows: Sequence[msgspec.Struct]) -> bytes:
    """Return rows of one kind under the names of its fields, in UTF-8; what has several parts has spaces between."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(kind.__struct_fields__)
    for row in rows:
        values = msgspec.structs.astuple(row)
        writer.writerow([" ".join(map(str, one)) if isinstance(one, tuple) else _safe(one) for one in values])
    return text.getvalue().encode()


def csv_answer(
    kind: type[msgspec.Struct], rows: Sequence[msgspec.Struct], name: str, headers: Mapping[str, str]
) -> ASGIResponse:
    """Answer with rows as a file."""
    told = {**headers, "Content-Disposition": f'attachment; filename="{name}.csv"'}
    return ASGIResponse(body=spreadsheet(kind, rows), headers=told, media_type=CSV)


def _safe(value: object) -> object:
    """Return a value that no spreadsheet takes for a formula: names are other people's."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" else value
