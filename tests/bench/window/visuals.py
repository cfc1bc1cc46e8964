"""A child: processor time of plots and pictures. Arguments: points, pixels of a picture's side, seconds for all rounds.

``ready`` reads an array of so many points and makes the pyramids of both axes; ``line``, ``points`` and ``orbit`` are a
step of panning or turning, painted on 1280 x 720 pixels; ``all`` counts each point of that picture; ``decode`` reads a
PNG, ``picture`` is a step of panning in it.
"""

from __future__ import annotations

import random
import sys
from array import array
from collections.abc import Callable
from time import process_time

from PySide6.QtGui import QImage, qRgb
from PySide6.QtWidgets import QApplication, QWidget

from bench.child import report
from bench.rounds import repeated
from bench.setting import BenchError
from bench.window.stage import main_application
from viewer.container.frames import FramingKind
from viewer.document.document import Document
from viewer.document.reading import ReadOptions
from viewer.document.visuals.found_picture import PictureForm
from viewer.document.visuals.min_max_pyramid import MinMaxPyramid
from viewer.document.visuals.plot_data import PlotData, plotted
from viewer.ui.look.palette import LIGHT, theme
from viewer.ui.visuals.picture_decoding import as_file, decoded
from viewer.ui.visuals.picture_view import PictureView
from viewer.ui.visuals.plot_view import PlotSide, PlotView
from viewer.variant.dialect import load
from viewer.variant.items import Item

SIZE = (1280, 720)
STEPS = 10
REPEATED = 100_000
DIALECT = "godot4"


def document(name: str, numbers: int, count: int) -> Document:
    """A packed array of random numbers, *numbers* of them an element."""
    dialect, chance = load(DIALECT), random.Random(1)
    row = dialect.by_name[name]
    some = array("f", (chance.gauss(0, 1) for _ in range(min(count, REPEATED) * numbers)))
    raw = (some * (-(-count // REPEATED))).tobytes()[: 4 * numbers * count]
    head = row.number.to_bytes(4, "little") + count.to_bytes(4, "little")
    return Document(head + raw, name="points", choice=ReadOptions(dialect, None, FramingKind.BARE))


def data_of(found: Document) -> tuple[PlotData, tuple[MinMaxPyramid, ...]]:
    """What the window of a plot reads."""
    data = plotted(found, Item(0, 0))
    if data is None:
        raise BenchError("there is no plot")
    return data, tuple(map(MinMaxPyramid, data.columns))


def shown(widget: QWidget) -> None:
    """Show a widget in the size of all measurements."""
    widget.resize(*SIZE)
    widget.show()
    QApplication.processEvents()


def frames(view: QWidget, move: Callable[[int], object]) -> Callable[[], float]:
    """Measures a step of moving, painted: some steps there, and as many back."""

    def take() -> float:
        begin = process_time()
        for step in range(STEPS):
            move(1 if step < STEPS // 2 else -1)
            view.repaint()
        return (process_time() - begin) / STEPS

    return take


def plots(count: int, budget: float) -> dict[str, list[float]]:
    """All about plots."""
    flat = document("PackedVector2Array", 2, count)
    ready: list[float] = []
    for _ in range(2):
        begin = process_time()
        points = data_of(flat)
        ready.append(process_time() - begin)
    view = PlotView(theme(LIGHT))
    shown(view)
    found = {"ready": ready}
    line, space = data_of(document("PackedFloat32Array", 1, count)), data_of(document("PackedVector3Array", 3, count))
    for name, (data, pyramids), move in (
        ("line", line, lambda way: view.pan(3 * way, 0)),
        ("points", points, lambda way: view.pan(3 * way, 2 * way)),
        ("orbit", space, lambda way: view.turn(0.02 * way, 0.01 * way)),
    ):
        view.set_data(data, pyramids)
        if name == "orbit":
            view.set_side(PlotSide.ORBIT)
        view.zoom(2)
        found[name] = list(repeated(frames(view, move), budget / 6))
    view.set_data(*points)
    view.fit()
    begin = process_time()
    view._cloud.density(view._place.box, *SIZE)
    return found | {"all": [process_time() - begin]}


def pictures(side: int, budget: float) -> dict[str, list[float]]:
    """All about pictures."""
    image = QImage(side, side, QImage.Format.Format_RGB32)
    for row in range(0, side, 64):
        for column in range(0, side, 64):
            image.setPixel(column, row, qRgb(row % 256, column % 256, 128))
    raw = as_file(image, PictureForm.PNG)
    if raw is None:
        raise BenchError("no PNG can be written")
    took: list[float] = []
    for _ in range(3):
        begin = process_time()
        read = decoded(raw, PictureForm.PNG)
        took.append(process_time() - begin)
    if not isinstance(read, QImage):
        raise BenchError(read)
    view = PictureView(theme(LIGHT))
    shown(view)
    view.set_image(read)
    view.zoom_to(0.5)
    return {"decode": took, "picture": list(repeated(frames(view, lambda way: view.pan(3 * way, 2 * way)), budget / 6))}


def main() -> None:
    """Measure, and report."""
    count, side, budget = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    main_application()
    report({**plots(count, budget), **pictures(side, budget)})


if __name__ == "__main__":
    main()
