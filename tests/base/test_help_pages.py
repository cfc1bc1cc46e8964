"""The pages of the help: what they say of actions, keys and bulk edits is so."""

from __future__ import annotations

import re

import pytest

from viewer.base.help_pages import HelpPage, help_pages
from viewer.container.frames import FramingKind
from viewer.document.bulk import check
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.ui.window.actions import all_entries
from viewer.ui.window.shortcuts_dialog import OTHER_KEYS
from viewer.variant.dialect import load

PAGES = help_pages()
KEY = re.compile(r"\b(?:(?:Ctrl|Alt|Shift)\+)+(?:F\d+|[A-Z]\b|\.|Enter|Up|Down|Left|Right|\d)|\bF\d+\b")


def test_the_pages_stand_in_order_each_with_a_title() -> None:
    assert [page.name for page in PAGES] == [
        *("first-steps", "values", "chips-and-colours", "search", "bulk-edit", "tables-pictures-plots", "packets"),
        *("broken-files", "what-is-kept"),
    ]
    assert all(page.text.startswith(f"# {page.title}\n") for page in PAGES)


def test_words_are_found_in_either_case_wherever_they_stand() -> None:
    page = HelpPage("a", "A", "# A\nGold and silver")
    assert page.holds("SILVER gold")
    assert page.holds("")
    assert not page.holds("gold copper")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_key_that_a_page_names_exists(page: HelpPage) -> None:
    known = {key for _, entry in all_entries() for key in entry.keys}
    known |= {key.strip() for _, keys, _ in OTHER_KEYS for key in keys.split(",")} | {"Alt+1", "Alt+4", "Ctrl+Enter"}
    known |= {"Ctrl+Alt+Enter"}
    assert {key for key in KEY.findall(page.text) if key not in known} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_menu_that_a_page_names_exists(page: HelpPage) -> None:
    titles = {(menu, entry.text.replace("&", "").rstrip("…")) for menu, entry in all_entries()}
    for menu, rest in re.findall(r"\b(File|Edit|Value|View|Go|Tools|Table|Packets|Help) > ([^\n]{3,50})", page.text):
        assert any(menu == top and rest.startswith(title) for top, title in titles), (menu, rest)


def test_every_bulk_edit_on_the_page_about_them_can_be_read() -> None:
    page = next(page for page in PAGES if page.name == "bulk-edit")
    dialect = load("godot4")
    document = Document(b"\0\0\0\0", choice=ReadOptions(dialect, framing=FramingKind.BARE))
    block = re.search(r"```bulk\n(.*?)```", page.text, re.DOTALL)
    assert block is not None
    lines = block[1].strip().split("\n")
    assert len(lines) >= 7
    for line in lines:
        check(document, line)
