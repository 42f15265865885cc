"""Pages in a real browser: Debian's Chromium, headless, driven by Playwright. Without one these tests are skipped, and say so."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect, sync_playwright

from tests.patience import LONG_S
from tests.server import faces
from tests.server.serving import Server, serving

expect.set_options(timeout=LONG_S * 1000)  # what must come, comes; how soon, a stopwatch holds

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module; no longer, for its driver holds this thread's event loop, which other tests want."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"there is no Chromium here (looked for {', '.join(NAMES)}): install it with `apt-get install chromium`")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a hall in which everything happens somewhere."""
    with serving(tmp_path_factory.mktemp("server")) as made:
        faces.show(made.house, *faces.variety(20, faces.now_ms(made.house)))
        yield made


Opening = Callable[..., Page]


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Opening]:
    """Opens pages; at the end none of them had written an error or asked another host, but for what a test expects by `page.expected`."""
    contexts, troubles = [], []

    def opened(url: str, *, width: int = 1280, height: int = 800, expected: str = "", **options: object) -> Page:
        context = browser.new_context(viewport={"width": width, "height": height}, **{"locale": "en", **options})  # type: ignore[arg-type]
        context.set_default_timeout(LONG_S * 1000)
        contexts.append(context)
        page = context.new_page()

        def said(message: ConsoleMessage) -> None:
            if message.type in {"error", "warning"} and not (expected and expected in message.text):
                troubles.append(message.text)

        def asked(request: Request) -> None:
            if not request.url.startswith((url.split("/", 3)[0] + "//" + url.split("/", 3)[2], "data:")):
                troubles.append(f"asked {request.url}")

        page.on("console", said)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", asked)
        page.goto(url)
        return page

    del request
    yield opened
    for context in contexts:
        context.close()
    assert troubles == []


def live(page: Page) -> Page:
    """The same page once its feed has been heard."""
    expect(page.locator("html")).to_have_attribute("data-live", "yes")
    return page
