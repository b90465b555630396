"""Letters: messages as mails, in plain text and in HTML, with what mail programs need to thread and to stop them."""

from collections.abc import Iterable, Iterator, Mapping
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from types import MappingProxyType
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from markupsafe import Markup

from domain.instants import Instant, moment_of
from services.notices.messages import Item, Message
from services.words import letters as words
from services.words.letters import go_words, said

# Longer lines would be folded, and long addresses in headers encoded: mail programs post to what stands there.
_POLICY: Final = SMTP.clone(max_line_length=900)

_PAGE: Final = Markup(
    '<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
    '<meta name="color-scheme" content="light dark"><title>{title}</title></head>\n'
    '<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;max-width:36em;padding:8px">\n'
    "{body}\n</body></html>\n"
)
_TABLE: Final = Markup('<h2 style="font-size:20px">{title}</h2>\n{facts}{history}<p>{button}</p>')
_FACT: Final = Markup("<p>{fact}</p>\n")
_HISTORY: Final = Markup("<p>{last}</p>\n<ul>\n{lines}</ul>\n")
_LINE: Final = Markup("<li>{line}</li>\n")
_BUTTON: Final = Markup(
    '<a href="{address}" style="display:inline-block;padding:12px 16px;border:2px solid;border-radius:8px;'
    'text-decoration:none">{label}</a>'
)
_FOOT: Final = Markup(
    '<hr>\n<p style="font-size:14px">{why}<br><a href="{choices}">{choose}</a> · <a href="{stop}">{no_more}</a></p>'
)


def notice_letter(
    message: Message, to: str, sender: str, address: str, lists: Mapping[int, bytes] = MappingProxyType({})
) -> EmailMessage:
    """Return a message as a mail.

    Args:
        message: The message.
        to: The receiver's mailbox.
        sender: The house's mailbox.
        address: Where people reach the service.
        lists: Published lists of heads that go with it, by number: attached, byte for byte.
    """
    mail = _letter(message.subject, to, sender, message.at)
    domain = parseaddr(sender)[1].rpartition("@")[2]
    mail["Message-ID"] = f"<{message.id}@{domain}>"
    if thread := _thread(message):
        # All mails about one match answer one that was never sent: mail programs put them together.
        mail["In-Reply-To"] = mail["References"] = f"<match.{thread}@{domain}>"
    mail["List-Unsubscribe"] = f"<{message.stop}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    choices = f"{address}/me/notices"
    text = "\n".join(_text(message, address, choices))
    filled = _filled(mail, message.language, text, _html(message, address, choices))
    for number, content in sorted(lists.items()):
        # Everything that opens texts opens it; as bytes no line end changes, which would change its fingerprint.
        filled.add_attachment(content, "text", "plain", filename=f"tablee-list-{number}.txt")
    return filled


def proof_letter(
    to: str, sender: str, address: str, language: str, *, code: str, link: str, hours: int, now: Instant
) -> EmailMessage:
    """Return the mail that proves that a mailbox is its receiver's."""
    secret = _Secret(
        said(words.PROOF_SUBJECT, language, code=code),
        said(words.PROOF, language, place=urlsplit(address).netloc),
        code,
        said(words.PROOF_LINK, language),
        said(words.PROOF_GO, language),
        f"{said(words.HOURS, language, hours=hours)} {said(words.PROOF_NOT_YOU, language)}",
    )
    return _secret_letter(secret, to, sender, language, link, now)


def return_letter(
    to: str, sender: str, address: str, language: str, *, person: str, code: str, link: str, now: Instant
) -> EmailMessage:
    """Return the mail with which somebody comes back; without a code for those who come by the link alone."""
    place, name = urlsplit(address).netloc, person or said(words.NOBODY, language)
    secret = _Secret(
        said(words.RETURN_SUBJECT, language, place=place),
        said(words.RETURN, language, place=place, name=name),
        code,
        said(words.RETURN_LINK, language),
        said(words.RETURN_GO, language),
        f"{said(words.RETURN_TIME, language)} {said(words.RETURN_NOT_YOU, language)}",
    )
    return _secret_letter(secret, to, sender, language, link, now)


class _Secret(NamedTuple):
    """What a mail with a link and a code says, in the order in which it says it."""

    subject: str
    why: str
    code: str
    before_link: str
    button: str
    after: str


def _secret_letter(
    secret: _Secret, to: str, sender: str, language: str, link: str, now: Instant
) -> EmailMessage:
    mail = _letter(secret.subject, to, sender, now)
    before_code = said(words.PROOF_CODE, language)
    coded = (before_code, "", f"    {secret.code}", "") if secret.code else ()
    text = (secret.why, "", *coded, secret.before_link, "", link, "", secret.after, "")
    shown = Markup('<strong style="font-size:28px;letter-spacing:4px">{code}</strong>')
    shown_code = (before_code, shown.format(code=secret.code)) if secret.code else ()
    button = _BUTTON.format(address=link, label=secret.button)
    facts = (secret.why, *shown_code, secret.before_link, button, secret.after)
    body = Markup("").join(_FACT.format(fact=fact) for fact in facts)
    page = _PAGE.format(language=language, title=secret.subject, body=body)
    return _filled(mail, language, "\n".join(text), page)


def _letter(subject: str, to: str, sender: str, at: Instant) -> EmailMessage:
    mail = EmailMessage(_POLICY)
    name, mailbox = parseaddr(sender)
    mail["From"] = Address(name, addr_spec=mailbox)
    mail["To"] = Address(addr_spec=to)
    mail["Subject"] = " ".join(subject.split())
    mail["Date"] = format_datetime(moment_of(at))
    # No holiday replies, please.
    mail["Auto-Submitted"] = "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    return mail


def _filled(mail: EmailMessage, language: str, text: str, html: str) -> EmailMessage:
    mail.set_content(text, cte="quoted-printable")
    mail.add_alternative(html, "html", cte="quoted-printable")
    mail["Content-Language"] = language
    return mail


def _thread(message: Message) -> str:
    """Return the match that a message is about, if it is about one alone."""
    matches = {item.match for item in message.items}
    return matches.pop() if len(matches) == 1 else ""


def _text(message: Message, address: str, choices: str) -> Iterator[str]:
    language = message.language
    for item in message.items:
        yield item.title
        yield from _facts(item, language)
        if item.note:
            yield ""
            yield item.note
        if item.lines:
            yield ""
            yield said(words.LAST, language)
            yield from (f"- {line}" for line in item.lines)
        yield ""
        yield f"{_go(item, language)}: {item.address}"
        yield ""
    # Mail programs know what follows two dashes and a blank as a signature.
    yield "-- "
    yield said(words.WHY, language, place=urlsplit(address).netloc)
    yield f"{said(words.CHOOSE, language)}: {choices}"
    yield f"{said(words.STOP, language)}: {message.stop}"
    yield ""


def _html(message: Message, address: str, choices: str) -> str:
    language = message.language
    tables = (_table(item, language) for item in message.items)
    foot = _FOOT.format(
        why=said(words.WHY, language, place=urlsplit(address).netloc),
        choices=choices,
        choose=said(words.CHOOSE, language),
        stop=message.stop,
        no_more=said(words.STOP, language),
    )
    body = Markup("\n").join((*tables, foot))
    return _PAGE.format(language=language, title=message.subject, body=body)


def _table(item: Item, language: str) -> Markup:
    lines = _joined(_LINE.format(line=line) for line in item.lines)
    history = _HISTORY.format(last=said(words.LAST, language), lines=lines) if lines else Markup("")
    facts = _joined(_FACT.format(fact=fact) for fact in (*_facts(item, language), item.note) if fact)
    button = _BUTTON.format(address=item.address, label=_go(item, language))
    return _TABLE.format(title=item.title, facts=facts, history=history, button=button)


def _facts(item: Item, language: str) -> Iterator[str]:
    if item.round:
        yield item.round
    if item.people:
        yield said(words.WITH, language, people=item.people)
    if item.deadline:
        yield said(words.UNTIL, language, deadline=item.deadline)


def _go(item: Item, language: str) -> str:
    return said(go_words(match=item.match, published=item.published), language)


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)
