"""Why a passkey is not kept, or lets nobody in."""

from collections.abc import Mapping

from services.words.contract import NOTHING, RefusalWords
from services.words.phrases import phrase

_RULE = phrase("A device answers each question of this page once, within five minutes.")
_OTHER_WAYS = phrase("Try again, or come back in another way.")

PASSKEY_REFUSALS: Mapping[str, RefusalWords] = {
    "passkey.unknown": RefusalWords(
        phrase("This passkey is not kept here, or no longer."),
        NOTHING,
        phrase("Remove it from your device, and come back in another way."),
    ),
    "passkey.not_here": RefusalWords(
        phrase("Browsers keep no passkey for this address."),
        phrase("A passkey needs HTTPS and a host name, or “localhost”."),
        phrase("Come back in another way."),
    ),
    "passkey.challenge_over": RefusalWords(
        phrase("Your device answered too late, twice, or for another browser."), _RULE, phrase("Try again.")
    ),
    "passkey.unverified": RefusalWords(
        phrase("What your device answered proves no passkey of this house."), NOTHING, _OTHER_WAYS
    ),
    "passkey.doubted": RefusalWords(
        phrase("This passkey was used elsewhere since: somebody may have a copy of it."),
        phrase("A device counts how often it signs, and the count went back."),
        phrase("Come back in another way, remove this passkey and make a new one."),
    ),
    "passkey.kept": RefusalWords(
        phrase("This passkey is kept here already."), NOTHING, phrase("You need not do anything.")
    ),
    "passkey.too_many": RefusalWords(
        phrase("You have {most} passkeys already."), NOTHING, phrase("Remove one first.")
    ),
}
"""By code."""
