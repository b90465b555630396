"""Why something did not reach somebody, as far as we say it; what other servers say is shown as they say it."""

from typing import Final

from services.words.phrases import Phrase, phrase, words_in

NO_ENCRYPTION: Final = phrase("the mail server offers no encryption")
NO_ANSWER: Final = phrase("no answer in time")
NOT_REACHED: Final = phrase("it cannot be reached")
NO_SUCH_HOST: Final = phrase("there is no such host")
NOT_TRUSTED: Final = phrase("its certificate is not trusted")
PRIVATE: Final = phrase("it lies in a private network, which the operator has not allowed")
INSECURE: Final = phrase("it must begin with https://")
NO_ADDRESS: Final = phrase("it is no address of a web server")
REDIRECTED: Final = phrase("it sends on to another address, which is not followed")
GONE: Final = phrase("it is not there any more, or does not let us in")
NOT_TAKEN: Final = phrase("it did not take the message")
NO_DEVICE: Final = phrase("the keys of the device are damaged")
NO_CHANNEL: Final = phrase("this house does not tell people in that way")
NO_CONTACT: Final = phrase("there is no contact that works")

_REASONS: Final = {
    reason.text: reason
    for reason in (
        NO_ENCRYPTION,
        NO_ANSWER,
        NOT_REACHED,
        NO_SUCH_HOST,
        NOT_TRUSTED,
        PRIVATE,
        INSECURE,
        NO_ADDRESS,
        REDIRECTED,
        GONE,
        NOT_TAKEN,
        NO_DEVICE,
        NO_CHANNEL,
        NO_CONTACT,
    )
}


def reason_words(reason: str, language: str) -> str:
    """Return a reason in a language: ``it did not take the message (500)``."""
    said, bracket, status = reason.partition(" (")
    known: Phrase | None = _REASONS.get(said)
    return reason if known is None else words_in(language).say(known) + bracket + status
