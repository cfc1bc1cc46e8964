"""A page of rich text that loads nothing; made late, since PySide6 takes milliseconds to make its classes."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QTextBrowser, QWidget


class ClosedDocument(QTextDocument):
    """A rich text that loads nothing: no picture, no style sheet.

    The page alone cannot see to it, nor can an answer of nothing: then Qt opens the file by itself.
    """

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return ""
        nothing = QImage(1, 1, QImage.Format.Format_ARGB32)
        nothing.fill(0)
        return nothing


class PlainBrowser(QTextBrowser):
    """A page that loads nothing and leads to no other page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocument(ClosedDocument(self))
        self.setOpenLinks(False)
