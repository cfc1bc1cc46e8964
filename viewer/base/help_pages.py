"""The pages of the program's help, as ``resources/help`` has them."""

from __future__ import annotations

from viewer.base import assets
from viewer.base.record import dataclass

FOLDER = "help"
TITLE = "# "


@dataclass(frozen=True, slots=True)
class HelpPage:
    """One page.

    Args:
        name: what it is asked for by: the name of its file without number and ending.
        title: what stands over it.
        text: all of it in Markdown, with the title.
    """

    name: str
    title: str
    text: str

    def holds(self, words: str) -> bool:
        """Whether all of some words stand in it, in either case."""
        text = self.text.casefold()
        return all(word in text for word in words.casefold().split())


def help_pages() -> list[HelpPage]:
    """All pages, in the order in which they are to be read."""
    pages = []
    for file in assets.names(FOLDER):
        text = assets.text(FOLDER, file)
        name = file.removesuffix(".md").partition("-")[2]
        pages.append(HelpPage(name, text.partition("\n")[0].removeprefix(TITLE), text))
    return pages
