"""What should be known about the whole file: the sentence in the banner, and what its button does."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from viewer.base.diagnostic import Severity
from viewer.document.change import Change
from viewer.document.detection.detect import DetectionCandidate
from viewer.document.document import Document
from viewer.document.edits.slots import EditError
from viewer.document.reading import ReadOptions
from viewer.document.viewmodel.notices import Remedy, notice
from viewer.ui.lazy import LazyPart
from viewer.ui.panels.banner import Banner
from viewer.ui.session import Session
from viewer.ui.window.file_actions import FileActions
from viewer.ui.window.menus import Menus

if TYPE_CHECKING:  # built late, see Late
    from viewer.ui.window.layer_actions import LayerActions


class FileNotice:
    """Keeps the banner in step with the open document.

    Args:
        session: what is open.
        banner: where it is said.
        files: reads a file again, and asks for its password.
        menus: offer the ways to read it.
        layers: offer what can be done with its layers.
        say: told in words what could not be done.
    """

    def __init__(
        self,
        session: Session,
        banner: Banner,
        files: FileActions,
        menus: Menus,
        layers: LazyPart[LayerActions],
        say: Callable[[str], None],
    ) -> None:
        self._session, self._banner = session, banner
        self._menus, self._layers, self._say = menus, layers, say
        self._told = ""
        self._dismissed: tuple[Document | None, str] = (None, "")
        self._remedies: dict[Remedy, Callable[[], object]] = {
            Remedy.RELOAD: files.reload,
            Remedy.SAVE: files.save,
            Remedy.READ_ON: session.read_on,
            Remedy.PASSWORD: files.unlock,
            Remedy.UNPACK: files.unlock,
            Remedy.LAYERS: self._offer_layers,
            Remedy.AS_CONFIG: lambda: self._layers.get().read_as_config(),
            Remedy.MISTAKE: self._go_to_mistake,
            Remedy.SEEN: session.dismiss_news,
            Remedy.NO_OBJECTS: self._drop_objects,
            Remedy.READ_AS: self._offer_readings,
        }
        banner.closed.connect(self._dismiss)
        session.news_changed.connect(self.tell)
        session.reading.changed.connect(self.tell)
        session.changed.connect(self._follow)

    def tell(self) -> None:
        """Say what should be known, where there is anything."""
        document, reading = self._session.document, self._session.reading
        is_read = document is not None and (reading.is_on or (reading.is_due and document.task is not None))
        found = notice(document) if document is not None and not is_read else None
        if found is None or (document, found.sentence) == self._dismissed:
            self._banner.hide()
            return
        self._told = found.sentence
        rival = found.rival
        do = partial(self._read_rival, rival) if rival is not None else self._remedies.get(found.remedy)
        self._banner.tell(found.sentence, found.severity, found.button, partial(self._help, do))

    def _help(self, do: Callable[[], object] | None) -> None:
        """Do what the button says; what is still so afterwards is said again."""
        if do is not None:
            do()
        self.tell()

    def _follow(self, change: Change) -> None:
        """The values are others though no byte is: the document was read otherwise."""
        if change.structure and not change.splices and not self._session.reading.is_handing_over:
            self.tell()

    def _dismiss(self) -> None:
        """A person closed the banner: that sentence is not said again of this document."""
        self._dismissed = (self._session.document, self._told)

    def _offer_layers(self) -> None:
        self._layers.get().pop_up(self._banner.mapToGlobal(self._banner.rect().bottomLeft()))

    def _go_to_mistake(self) -> None:
        found = self._session.problems(Severity.ERROR)
        if found:
            self._session.go_to_problem(found[0])

    def _offer_readings(self) -> None:
        self._menus.pop_up_readings(self._banner.mapToGlobal(self._banner.rect().bottomRight()))

    def _read_rival(self, rival: DetectionCandidate) -> None:
        """Read the bytes in the other way that fits."""
        framing = rival.framing
        choice = ReadOptions(rival.dialect, rival.precision, framing.kind, big_endian=framing.big_endian)
        self._session.read_as(choice)

    def _drop_objects(self) -> None:
        """Put null in the place of every embedded object."""
        from viewer.document.edits.embedded_objects import without_objects

        document = self._session.document
        if document is not None:
            try:
                self._session.apply(without_objects(document))
            except EditError as error:
                self._say(str(error))
