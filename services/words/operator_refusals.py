"""Why something that only operators may do is refused."""

from collections.abc import Mapping

from services.words.contract import NOTHING, RefusalWords
from services.words.phrases import phrase

_TRIED_AGAIN = phrase("Nothing was changed. Try again.")
_REBUILT = phrase("A rebuild reads the rows from the log again.")

OPERATOR_REFUSALS: Mapping[str, RefusalWords] = {
    "operator.unknown": RefusalWords(
        phrase("This page is for operators."), NOTHING, phrase("An operator's link lets a browser in.")
    ),
    "jobs.unavailable": RefusalWords(phrase("The jobs' server does not answer."), NOTHING, _TRIED_AGAIN),
    "projection.store_went_back": RefusalWords(
        phrase("This list was read from another log."), NOTHING, _REBUILT
    ),
    "projection.set_replaced": RefusalWords(
        phrase("Other rows have replaced the ones being written."), NOTHING, _TRIED_AGAIN
    ),
    "projection.rebuilding": RefusalWords(
        phrase("This list is already being rebuilt."), NOTHING, phrase("Wait until that is done.")
    ),
    "find.bad_expression": RefusalWords(phrase("This condition cannot be read."), NOTHING, NOTHING),
    "backup.not_made": RefusalWords(phrase("The backup was not made."), NOTHING, NOTHING),
    "restore.refused": RefusalWords(phrase("The backup was not restored."), NOTHING, NOTHING),
}
"""By code."""
