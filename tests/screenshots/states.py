"""The pages and the states of a table, and how one comes to them."""

from collections.abc import Awaitable, Callable
from typing import Final

from tests.e2e.people import Visitor

State = Callable[[Visitor], Awaitable[None]]

_MOST_MOVES: Final = 400

_PLAY: Final = """async ([address, wanted, most, slowly]) => {
    const send = (form, body) =>
        fetch(form.getAttribute("action"), { method: "POST", body, headers: { "X-Fragment": "1" } })
    const move = (form) => {
        const body = new URLSearchParams(new FormData(form))
        const buttons = [...form.querySelectorAll("[name=move]")]
        const first = (...some) => some.map((one) => buttons.find((button) => button.matches(one))).find(Boolean)
        if (form.dataset.sets !== undefined) {
            const cards = (form.dataset.sets || form.dataset.out).split(" ")[0].split(",").filter(Boolean)
            for (const card of cards) body.append("card", card)
            const take = form.ownerDocument.querySelector("[name=take]") // It lies in the middle.
            if (take) body.set("take", take.value)
            body.set("move", cards.length ? "play" : "pass")
        } else {
            const shown = slowly ? "[value^=swap]:not(:has(.back))" : ":has(.back)"
            const chosen = first(shown, ":has(.back)", "[value^=play], [value^=swap], [value^=return]", "#draw", "*")
            body.set("move", chosen.value)
        }
        return send(form, body)
    }
    for (let count = 0; count < most; count++) {
        const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html")
        if (page.querySelector(wanted)) return true
        const on = page.querySelector("#go-on")?.form
        if (on) await send(on, new URLSearchParams(new FormData(on)))
        const form = page.querySelector("#moves form[action$=move]")
        if (form) await move(form)
        else await new Promise((done) => setTimeout(done, 200))
    }
    return false
}"""
"""Makes legal moves, the hidden cards first, so that rounds come to an end; bots think between two looks. No page is
drawn meanwhile."""


async def play_until(visitor: Visitor, selector: str, *, slowly: bool = False) -> None:
    """Play on until a page shows something; slowly, so that others end the rounds."""
    page, table = visitor.page, f"/m/{visitor.match}"
    # A page that shows no table does not follow what is done there.
    await page.goto("/help/keys")
    found = await page.evaluate(_PLAY, [table, selector, _MOST_MOVES, slowly])
    await page.goto(table)
    assert found, f"{page.url} never shows {selector}"


def at(address: str) -> State:
    """Return the state of a page that anybody can open."""

    async def opened(visitor: Visitor) -> None:
        await visitor.page.goto(address)

    return opened


def playing(
    game: str, *, bots: int = 2, until: str = ".turn.mine", slowly: bool = False, **options: str
) -> State:
    """Return the state of a table in play against bots."""

    async def begun(visitor: Visitor) -> None:
        await visitor.make_table(game, ("me", *("bot",) * bots), **options)
        await visitor.expect_turn_or_end()
        await play_until(visitor, until, slowly=slowly)

    return begun


def then(before: State, *selectors: str) -> State:
    """Return the state after some presses."""

    async def pressed(visitor: Visitor) -> None:
        await before(visitor)
        for selector in selectors:
            await visitor.page.locator(selector).first.click()
            await visitor.page.wait_for_timeout(150)

    return pressed


async def gathering(visitor: Visitor) -> None:
    await visitor.make_table("skyjo", ("me", "person", "person", "bot"))


async def sitting_down(visitor: Visitor) -> None:
    """Somebody has been sent the address of a table."""
    await gathering(visitor)
    match = visitor.match
    await visitor.context.clear_cookies()
    await visitor.page.goto(f"/m/{match}/sit")


async def waiting(visitor: Visitor) -> None:
    """It is another person's turn."""
    match = await visitor.make_table("lama", ("me", "person", "bot"), option_first="1")
    browser = visitor.context.browser
    assert browser is not None
    context = await browser.new_context(base_url=visitor.address)
    other = Visitor("Bert", context, await context.new_page(), visitor.address)
    await other.sit(match)
    await other.be_ready()
    await context.close()
    await visitor.page.goto(f"/m/{match}")


async def offline(visitor: Visitor) -> None:
    """The service does not answer a move."""
    await playing("lama")(visitor)
    await visitor.context.set_offline(True)
    await visitor.page.locator("#draw").click()
    await visitor.page.wait_for_timeout(300)
    await visitor.context.set_offline(False)


def of_finished(page: str) -> State:
    """Return the state of a page about a match that is over."""

    async def opened(visitor: Visitor) -> None:
        await playing("lama", until=".ranking", option_limit="single")(visitor)
        await visitor.page.goto(f"/m/{visitor.match}/{page}")
        await visitor.page.wait_for_timeout(500)

    return opened


async def bringing(visitor: Visitor) -> None:
    """Somebody who is known brings a match from elsewhere."""
    await playing("lama")(visitor)
    await visitor.page.goto("/me/imports")


PAGES: Final[dict[str, State]] = {
    "home": at("/"),
    "games": at("/new"),
    "new": at("/new?game=skyjo"),
    "rules": at("/rules/odin"),
    "keys": at("/help/keys"),
    "me": at("/me"),
    "notices": at("/me/notices"),
    "devices": at("/me/devices"),
    "clubs": at("/c"),
    "back": at("/back"),
    "privacy": at("/privacy"),
    "missing": at("/no/such/page"),
    "sit": sitting_down,
    "gathering": gathering,
    "replay": of_finished("replay"),
    "history": of_finished("history"),
    "proof": of_finished("proof"),
    "sheet": of_finished("sheet"),
    "cards": of_finished("cards?card=1"),
    "imports": bringing,
}

TABLES: Final[dict[str, State]] = {
    "guide-lama": playing("lama"),
    "waiting": waiting,
    "offline": offline,
    "lama-turn": playing("lama"),
    "lama-quit": then(playing("lama"), "#quit-first > summary"),
    "lama-six": playing("lama", bots=5),
    "lama-round-end": playing("lama", until="#round-end"),
    "lama-over": playing("lama", until=".ranking", option_limit="single"),
    "odin-turn": playing("odin"),
    "odin-chosen": then(playing("odin", until=".turn.mine ~ *, #play"), "label.pick:has(:enabled)"),
    "odin-six": playing("odin", bots=5),
    "odin-round-end": playing("odin", until="#round-end"),
    "odin-over": playing("odin", until=".ranking", option_limit="single"),
    "skyjo-reveal": playing("skyjo"),
    "skyjo-turn": playing("skyjo", until="#draw"),
    "skyjo-drawn": then(playing("skyjo", until="#draw"), "#draw"),
    "skyjo-take": then(playing("skyjo", until="#draw"), "#take"),
    "skyjo-lap": playing("skyjo", until=".own.turn .actions .lap", slowly=True),
    "skyjo-eight": playing("skyjo", bots=7, until="#draw"),
    "skyjo-round-end": playing("skyjo", until="#round-end", slowly=True),
    "skyjo-over": playing("skyjo", until=".ranking", option_limit="single"),
}
"""By name; the game comes first."""

STATES: Final[dict[str, State]] = PAGES | TABLES
