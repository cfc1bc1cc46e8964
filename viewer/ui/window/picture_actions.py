"""Show, export and replace the picture that the selected value is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QWidget

from viewer.base.record import replace
from viewer.base.span import Span
from viewer.document.disk import files
from viewer.document.edits.slots import EditError
from viewer.document.selection import Spot
from viewer.document.visuals.found_picture import MOST_BYTES, FoundPicture, PictureForm, found_picture, picture_bytes
from viewer.document.visuals.picture_replacing import NewPicture, replaced_picture
from viewer.ui import dialogs
from viewer.ui.lazy import LazyPart
from viewer.ui.look.palette import Theme
from viewer.ui.session import WAITS, Session
from viewer.ui.visuals.picture_decoding import as_file, new_picture, picture_of
from viewer.ui.visuals.picture_dialog import PictureDialog, image_of
from viewer.ui.visuals.picture_thumbnail import PictureThumbnail

NO_PICTURE = "No picture is selected: byte arrays with a picture file, and Images, are pictures."
NO_BYTES = "Select a picture, or a byte array to show as pixels."
READABLE = "Pictures (*.png *.jpg *.jpeg *.webp *.bmp *.gif *.svg);;All files (*)"
WRITTEN = (PictureForm.PNG, PictureForm.JPEG, PictureForm.WEBP, PictureForm.BMP)


class PictureActions:
    """What a person does with pictures.

    Args:
        window: the parent of the dialogs.
        session: knows the selected value.
        theme: the colours.
        say: told in words what was done.
        put: puts the thumbnail where it is to be seen, and tells it how high it may be there.
        hover: is told the picture of the selected value with its bytes, to be shown where the mouse rests on these;
            None where there is none.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        theme: Theme,
        say: Callable[[str], None],
        put: Callable[[QWidget, Callable[[int], None]], None],
        hover: Callable[[Span | None, QImage | None], None],
    ) -> None:
        self._window, self._session, self._theme, self._say = window, session, theme, say
        self._dialog: PictureDialog | None = None
        self._asked_over = window
        self._thumbnail = LazyPart(self._build_thumbnail)
        self._put_thumbnail, self._hover = put, hover
        self._span: Span | None = None
        session.changed.connect(lambda: hover(None, None))
        self._folder = Path.home()

    def set_theme(self, theme: Theme) -> None:
        """Wear another theme."""
        self._theme = theme
        for part in (self._dialog, self._thumbnail.part):
            if part is not None:
                part.set_theme(theme)

    def slots(self) -> dict[str, Callable[[], object]]:
        """What each action does, by its name."""
        return {"picture": self.show, "export_picture": self.export, "replace_picture": self.replace}

    def _build_thumbnail(self) -> PictureThumbnail:
        thumbnail = PictureThumbnail(self._theme)
        thumbnail.opened.connect(self.show)
        thumbnail.drawn.connect(lambda image: self._hover(self._span, image))
        self._put_thumbnail(thumbnail, thumbnail.set_room)
        return thumbnail

    def show_small(self, spot: Spot | None, found: FoundPicture | None) -> None:
        """Show the picture that a value is as a thumbnail, none where it is none."""
        self._hover(None, None)
        if found is not None and spot is not None:
            self._span = replace(spot, item=found.item).span()
            self._thumbnail.get().show_picture(spot, found)
            self._thumbnail.get().show()
        elif self._thumbnail.part is not None:
            self._thumbnail.part.clear()
            self._thumbnail.part.hide()

    def show(self) -> None:
        """Show the picture, or the bytes as one."""
        spot = self._session.spot
        if self._dialog is None:
            self._dialog = PictureDialog(self._window, self._session, self._theme)
            self._dialog.export_wanted.connect(lambda: self._from_dialog(self._export))
            self._dialog.replace_wanted.connect(lambda: self._from_dialog(self._replace))
            self._dialog.paste_wanted.connect(lambda: self._from_dialog(self._paste))
        if spot is None or not self._dialog.show_spot(spot):
            self._session.failed.emit(WAITS if self._session.waits else NO_BYTES)
            return
        self._dialog.bring_up(self._dialog.view)

    def _from_dialog(self, do: Callable[[Spot, FoundPicture], None]) -> None:
        """Do something with the picture of the dialog, over which all questions then lie."""
        dialog = self._dialog
        assert dialog is not None
        assert dialog.spot is not None
        assert dialog.found is not None
        self._asked_over = dialog
        do(dialog.spot, dialog.found)

    def _selected(self) -> tuple[Spot, FoundPicture] | None:
        spot = self._session.spot
        found = found_picture(spot.document, spot.item) if spot is not None else None
        if spot is None or found is None:
            self._session.failed.emit(WAITS if self._session.waits else NO_PICTURE)
            return None
        return spot, found

    # Export

    def export(self) -> None:
        """Write the selected picture to a file."""
        selected, self._asked_over = self._selected(), self._window
        if selected is not None:
            self._export(*selected)

    def _export(self, spot: Spot, found: FoundPicture) -> None:
        own = [found.form] if found.form is not None else []
        forms = [*own, *(form for form in WRITTEN if form not in own)]
        filters = {f"{form.words} (*{form.suffix})": form for form in forms}
        name, chosen = QtWidgets.QFileDialog.getSaveFileName(
            self._asked_over, "Export picture", str(self._folder / f"picture{forms[0].suffix}"), ";;".join(filters)
        )
        if not name:
            return
        form = filters.get(chosen, forms[0])
        path = Path(name)
        path = path if path.suffix else path.with_suffix(form.suffix)
        self._folder = path.parent
        self._write(spot, found, form, path)

    def _write(self, spot: Spot, found: FoundPicture, form: PictureForm, path: Path) -> None:
        if form is found.form:
            data: bytes | None = picture_bytes(spot.document, found)
        else:
            image = self._image(spot, found)
            if isinstance(image, str):
                dialogs.tell(self._asked_over, image)
                return
            data = as_file(image, form)
        if data is None:
            dialogs.tell(self._asked_over, f"This picture cannot be written as {form.words}.")
            return
        try:
            files.write(path, data, backup=False)
        except files.FileProblem as problem:
            dialogs.tell(self._asked_over, str(problem))
        else:
            self._say(f"Exported to “{path.name}” as {form.words}.")

    def _image(self, spot: Spot, found: FoundPicture) -> QImage | str:
        """What the dialog shows, where that is the picture: raw pixels are taken as its fields say."""
        dialog = self._dialog
        if dialog is not None and dialog.isVisible() and dialog.found is found and dialog.view.image is not None:
            return dialog.view.image
        return image_of(spot, found)

    # Replace

    def replace(self) -> None:
        """Put the picture of a file in the place of the selected one."""
        selected, self._asked_over = self._selected(), self._window
        if selected is not None:
            self._replace(*selected)

    def _replace(self, spot: Spot, found: FoundPicture) -> None:
        name, _ = QtWidgets.QFileDialog.getOpenFileName(
            self._asked_over, "Replace picture", str(self._folder), READABLE
        )
        if name:
            self._folder = Path(name).parent
            self._put(spot, found, Path(name))

    def _paste(self, spot: Spot, found: FoundPicture) -> None:
        image = QGuiApplication.clipboard().image()
        if image.isNull():
            dialogs.tell(self._asked_over, "There is no picture on the clipboard.")
        else:
            self._store(spot, found, picture_of(image), "the clipboard")

    def _put(self, spot: Spot, found: FoundPicture, path: Path) -> None:
        try:
            if path.stat().st_size > MOST_BYTES:
                raise EditError("The file is too long to be a picture.")
            new = new_picture(path.read_bytes())
        except (OSError, EditError) as error:
            new = str((error.strerror if isinstance(error, OSError) else "") or error)
        if isinstance(new, str):
            dialogs.tell(self._asked_over, f"“{path.name}” was not taken. {new}")
        else:
            self._store(spot, found, new, f"“{path.name}”")

    def _store(self, spot: Spot, found: FoundPicture, new: NewPicture, name: str) -> None:
        """Put a picture in the place of another one; what changes with it is asked before."""
        try:
            made = replaced_picture(spot.document, found, new)
        except EditError as error:
            dialogs.tell(self._asked_over, f"The picture of {name} was not taken. {error}")
            return
        losses = [remark.removesuffix(".") for remark in made.remarks]
        if not losses or dialogs.ask_losses(self._asked_over, "Replace the picture?", losses, "&Replace"):
            self._session.apply(made.edit, of=spot.document)
            self._say(f"The picture is now that of {name}.")
