"""A browser without scripts, for tests: it keeps cookies, follows redirects, and posts the forms that it is shown."""

from collections.abc import Sequence
from html.parser import HTMLParser
from typing import Any

import httpx

from domain.match.levels import DEFAULT_LEVEL


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, Any]] = []
        self._select: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.forms.append({"action": given["action"], "fields": [], "buttons": []})
        if not self.forms or "disabled" in given:
            return
        form, name = self.forms[-1], given.get("name")
        if tag == "input" and name and given.get("type") not in {"checkbox", "radio"}:
            form["fields"].append((name, given.get("value") or ""))
        if tag == "input" and name and given.get("type") in {"checkbox", "radio"} and "checked" in given:
            form["fields"].append((name, given.get("value") or ""))
        if tag == "select":
            self._select = name
        if tag == "option" and "selected" in given and self._select:
            form["fields"].append((self._select, given.get("value") or ""))
        if tag == "button":
            form["buttons"].append((name, given.get("value") or ""))


class Reader:
    """Somebody with a browser.

    Attributes:
        page: The answer that he sees.
        answers: All answers that he got.
    """

    def __init__(self, app: Any, language: str = "en") -> None:
        door = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        self.client = httpx.AsyncClient(
            transport=door,
            base_url="http://tablee.test",
            headers={"Accept-Language": language, "Origin": "http://tablee.test"},
            follow_redirects=True,
        )
        self.page = httpx.Response(204)
        self.answers: list[httpx.Response] = []

    async def get(self, address: str, **more: Any) -> httpx.Response:
        self.page = await self.client.get(address, **more)
        self.answers.append(self.page)
        return self.page

    async def post(self, address: str, fields: Any, **more: Any) -> httpx.Response:
        # httpx posts repeated fields from lists.
        data: dict[str, list[str]] = {}
        for name, value in fields:
            data.setdefault(name, []).append(value)
        self.page = await self.client.post(address, data=data, **more)
        self.answers.append(self.page)
        return self.page

    def form(self, action: str) -> dict[str, Any]:
        """Return the form of the page whose action ends so."""
        parser = _Forms()
        parser.feed(self.page.text)
        found = [form for form in parser.forms if form["action"].endswith(action)]
        assert found, f"no form {action} in {self.page.url}: {[form['action'] for form in parser.forms]}"
        form: dict[str, Any] = found[0]
        return form

    def has_form(self, action: str) -> bool:
        parser = _Forms()
        parser.feed(self.page.text)
        return any(form["action"].endswith(action) for form in parser.forms)

    async def submit(self, form_action: str, /, *more: tuple[str, str], **changed: str) -> httpx.Response:
        """Fill in and post a form of the page."""
        form = self.form(form_action)
        fields = [(name, changed.get(name, value)) for name, value in form["fields"]]
        return await self.post(form["action"], [*fields, *more])

    async def make_table(self, game: str, *seats: str, **fields: str) -> str:
        """Make a table that everybody may look at; return its id."""
        await self.get(f"/new?game={game}")
        form = self.form("/new")
        kept = {name: value for name, value in form["fields"] if not name.startswith("bots-")}
        del kept["people"]
        kept.pop("plays", None)
        await self.post(
            "/new", list({**kept, **seats_asked(seats), "visibility": "public", **fields}.items())
        )
        return self.page.url.path.rpartition("/")[2]

    async def sit(self, match: str, **fields: str) -> None:
        await self.get(f"/m/{match}/sit")
        await self.submit("/sit", **fields)


def seats_asked(seats: Sequence[str]) -> dict[str, str]:
    """Return what a new table's form says for seats: ``me``, ``person``, ``bot``."""
    people = sum(seat in {"me", "person"} for seat in seats)
    plays = {"plays": "yes"} if "me" in seats else {}
    return {"people": str(people), f"bots-{DEFAULT_LEVEL}": str(seats.count("bot")), **plays}
