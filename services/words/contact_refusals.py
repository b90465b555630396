"""Why somebody cannot be told at an address that they gave."""

from collections.abc import Mapping

from services.words.contract import NOTHING, RefusalWords
from services.words.phrases import phrase

_PROOF_RULE = phrase("A link and a code in a mail are good once, and for a short time.")
_HOUSE_RULE = phrase("What a house can do, its operator decides.")
_NUDGE_RULE = phrase(
    "Who sits at a table may nudge whom it has waited for for an hour, once a day and only if they allow it."
)

CONTACT_REFUSALS: Mapping[str, RefusalWords] = {
    "contact.unknown": RefusalWords(
        phrase("You have no such contact."), NOTHING, phrase("Look at your contacts.")
    ),
    "contact.too_many": RefusalWords(
        phrase("You have {most} of them already."), NOTHING, phrase("Take one away first.")
    ),
    "contact.mail_off": RefusalWords(
        phrase("This house sends no mails."), _HOUSE_RULE, phrase("Take your feed, or another way.")
    ),
    "contact.mail_malformed": RefusalWords(
        phrase("This is no mailbox."), NOTHING, phrase("It looks like anna@example.org.")
    ),
    "contact.mail_not_sent": RefusalWords(
        phrase("The mail could not be sent: {reason}."),
        NOTHING,
        phrase("Check the address, or try again later."),
    ),
    "contact.not_reached": RefusalWords(
        phrase("The test did not arrive: {reason}."),
        NOTHING,
        phrase("Check the address, or try again later."),
    ),
    "contact.shape_unknown": RefusalWords(
        phrase("There is no such shape."), NOTHING, phrase("Choose one of these: {allowed}.")
    ),
    "contact.push_malformed": RefusalWords(
        phrase("This is no subscription of a browser."), NOTHING, phrase("Press the button on the page.")
    ),
    "club.channel_kind_unknown": RefusalWords(
        phrase("A club's channel tells nothing of that kind."),
        NOTHING,
        phrase("Choose among these: {allowed}."),
    ),
    "nudge.yourself": RefusalWords(
        phrase("The table waits for you, and you know it."), _NUDGE_RULE, phrase("Play, or answer.")
    ),
    "nudge.nobody": RefusalWords(phrase("Nobody sits there."), _NUDGE_RULE, phrase("Invite somebody.")),
    "nudge.bot": RefusalWords(
        phrase("A bot plays there, and needs no reminder."), _NUDGE_RULE, phrase("Wait a moment.")
    ),
    "nudge.not_awaited": RefusalWords(
        phrase("Nobody waits for them now."), _NUDGE_RULE, phrase("Look at whom the table waits for.")
    ),
    "nudge.too_early": RefusalWords(
        phrase("It is too early: the table has waited for them for less than {minutes} minutes."),
        _NUDGE_RULE,
        phrase("Try again later."),
    ),
    "nudge.unwanted": RefusalWords(
        phrase("They want no nudges, or nobody knows where to reach them."),
        _NUDGE_RULE,
        phrase("Tell them yourself."),
    ),
    "nudge.already": RefusalWords(
        phrase("They were nudged at this table less than a day ago."),
        _NUDGE_RULE,
        phrase("You can do it again in {hours} h."),
    ),
    "proof.unknown": RefusalWords(
        phrase("This link or code is not good any more."), _PROOF_RULE, phrase("Ask for a new mail.")
    ),
    "proof.wrong_code": RefusalWords(
        phrase("This is not the code in the mail."),
        _PROOF_RULE,
        phrase("Look again. Tries that are left: {left}."),
    ),
}
"""By code."""
