"""A part of the guide as HTML: its headings as a list, its pictures with their sizes, its links within the app."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

PICTURES: Final = "pictures"
"""The folder beside the texts; where it is served, below ``/guide``."""

_ANCHOR: Final = re.compile(r'<a id="([a-z0-9-]+)"></a>')
_PART: Final = re.compile(r"([a-z]+)\.[a-z]+\.md(#.*)?")
_FIRST_SEEN: Final = 1
"""How many pictures are fetched at once; all others as they come near the screen."""

_NARROW: Final = 720
"""Up to so many pixels a picture shows a phone, and stands beside its text where there is room."""


class Picture(NamedTuple):
    """A picture as it is sent."""

    name: str
    content: bytes
    width: int
    height: int
    stamp: str

    @classmethod
    def read(cls, name: str, content: bytes) -> "Picture":
        """Read how large a picture is from its own box: AVIF says so in the property ``ispe``."""
        at = content.index(b"ispe") + 8
        width, height = (int.from_bytes(content[place : place + 4], "big") for place in (at, at + 4))
        return cls(name, content, width, height, hashlib.sha256(content).hexdigest()[:12])

    @property
    def address(self) -> str:
        """Where it is to be had; it changes with the picture."""
        return f"/guide/{PICTURES}/{self.stamp}/{self.name}"


class HandbookText(NamedTuple):
    """A part of the guide.

    Attributes:
        title: Its first heading.
        headings: The anchors of its sections, with what they are called.
        html: What stands below its first heading.
        cover: Its first picture, without what it shows; empty if there is none.
    """

    title: str
    headings: tuple[tuple[str, str], ...]
    html: Markup
    cover: Markup


def text_of(written: str, pictures: Mapping[str, Picture]) -> HandbookText:
    """Read a part of the guide.

    Raises:
        KeyError: It names a picture that is not there.
    """
    markdown = _markdown()
    tokens = markdown.parse(written)
    title, headings = "", []
    for token, inline in pairwise(tokens):
        if token.type != "heading_open":
            continue
        if token.tag == "h1":
            title = inline.content
        elif found := _ANCHOR.match(inline.content):
            token.attrSet("id", found[1])
            for child in inline.children or ():
                child.content = _ANCHOR.sub("", child.content)
            headings.append((found[1], _ANCHOR.sub("", inline.content)))
    # The page has a heading of its own, so the text begins after its own one.
    shown = tokens[3:] if tokens and tokens[0].tag == "h1" else tokens
    environment = {"pictures": pictures, "shown": 0}
    # The texts are ours, and HTML in them is not passed on.
    html = Markup(markdown.renderer.render(shown, markdown.options, environment))  # noqa: S704
    images = [child for token in tokens for child in token.children or () if child.type == "image"]
    cover = _picture_html(pictures, images[0], told="", lazy=False) if images else Markup()
    return HandbookText(title, tuple(headings), html, cover)


def _picture_html(pictures: Mapping[str, Picture], token: Token, *, told: str, lazy: bool) -> Markup:
    picture = pictures[str(token.attrs["src"]).rpartition("/")[2]]
    loading = Markup(' loading="lazy"') if lazy else ""
    return Markup('<img src="{}" alt="{}" width="{}" height="{}"{}>').format(
        picture.address, told, picture.width, picture.height, loading
    )


def _image(
    _renderer: RendererHTML, tokens: Sequence[Token], at: int, _options: Any, environment: dict[str, Any]
) -> str:
    token = tokens[at]
    environment["shown"] += 1
    lazy = environment["shown"] > _FIRST_SEEN
    return _picture_html(environment["pictures"], token, told=token.content, lazy=lazy)


def _link(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, environment: dict[str, Any]
) -> str:
    token = tokens[at]
    # Parts of the guide name each other by their files, so that these links lead on in the sources, too.
    if found := _PART.fullmatch(str(token.attrs["href"])):
        token = Token("link_open", "a", 1, attrs={"href": f"/guide/{found[1]}{found[2] or ''}"})
    return renderer.renderToken([token], 0, options, environment)


def _paragraph(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: Any, environment: dict[str, Any]
) -> str:
    """Make a figure of a paragraph that is a picture, and nothing but that."""
    opens = tokens[at].nesting == 1
    inline = tokens[at + 1 if opens else at - 1]
    children = inline.children or []
    if [child.type for child in children] != ["image"]:
        return renderer.renderToken(tokens, at, options, environment)
    if not opens:
        return "</figure>\n"
    picture = environment["pictures"][str(children[0].attrs["src"]).rpartition("/")[2]]
    shape = "narrow" if picture.width <= _NARROW else "broad"
    return f'<figure class="{shape}">'


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    for name, rule in (
        ("image", _image),
        ("link_open", _link),
        ("paragraph_open", _paragraph),
        ("paragraph_close", _paragraph),
    ):
        markdown.add_render_rule(name, rule)
    return markdown
