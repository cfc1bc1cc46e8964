"""The palette keeps its promises: every role is there, and text is readable on every surface it may stand on."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QImage, QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QListWidget, QListWidgetItem, QSpinBox
from pytestqt.qtbot import QtBot

from viewer.base import assets
from viewer.ui.look import icons, palette
from viewer.ui.look.palette import GROUPS, STATES, Theme, contrast
from viewer.ui.look.theme import SHEET, SHEET_DRAWINGS, ThemeController, framed_palette, style_sheet

READABLE = 4.5
VISIBLE = 3.0
EDGE = 2.4
"""Of a line of Fusion's, which is painted with smooth edges."""
NEEDED = """
    folder-open save save-all undo-2 redo-2 arrow-left arrow-right arrow-up arrow-down search replace funnel list-tree
    locate-fixed chevron-right chevron-down x check plus copy copy-plus scissors clipboard-paste trash-2 pencil circle-x
    circle-check triangle-alert info wand-sparkles stethoscope bookmark history lock layers file-digit network
    refresh-cw download upload palette pipette panel-right panel-bottom keyboard ellipsis sun-moon
""".split()  # noqa: SIM905


@pytest.fixture(params=[palette.LIGHT, palette.DARK])
def theme(request: pytest.FixtureRequest) -> Theme:
    return palette.theme(request.param)


def test_contrast_is_that_of_the_web_guidelines() -> None:
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21)
    assert contrast(QColor("#767676"), QColor("#ffffff")) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("group", GROUPS)
def test_a_kind_is_readable_at_rest_selected_modified_and_on_its_own_tint(theme: Theme, group: str) -> None:
    tint = theme.kind(group)
    for surface in (theme.ui.base, theme.ui.hover, theme.ui.selection, theme.state("modified").bg, tint.bg):
        assert contrast(tint.fg, surface) >= READABLE - 0.005


@pytest.mark.parametrize("role", ["text", "text_secondary", "text_dim"])
def test_text_is_readable_on_every_surface(theme: Theme, role: str) -> None:
    surfaces = ("base", "panel", "raised", "hover", "selection", "selection_inactive")
    for surface in (*(theme.color("ui", name) for name in surfaces), theme.state("modified").bg):
        assert contrast(theme.color("ui", role), surface) >= READABLE


@pytest.mark.parametrize("surface", ["base", "panel", "raised"])
def test_what_cannot_be_chosen_and_edges_can_be_seen(theme: Theme, surface: str) -> None:
    assert contrast(theme.ui.disabled, theme.color("ui", surface)) >= 3.3
    assert contrast(framed_palette(theme).color(QPalette.ColorRole.Window).darker(140), theme.ui.base) >= VISIBLE


def shades(image: QImage) -> list[QColor]:
    """All colours of a picture."""
    return [QColor(each) for each in {image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}]


@pytest.mark.parametrize("state", [Qt.CheckState.Unchecked, Qt.CheckState.Checked])
@pytest.mark.parametrize("name", [palette.LIGHT, palette.DARK])
def test_boxes_in_lists_and_fields_with_steps_have_an_edge(
    qtbot: QtBot, qapp: QApplication, controller: ThemeController, name: str, state: Qt.CheckState
) -> None:
    qapp.setStyle("Fusion")
    controller.choose(name)
    rows, spin, combo = QListWidget(), QSpinBox(), QComboBox()
    row = QListWidgetItem("", rows)
    row.setFlags(row.flags() | Qt.ItemFlag.ItemIsUserCheckable)
    row.setCheckState(state)
    for widget in (rows, spin, combo):
        qtbot.addWidget(widget)
        widget.resize(120, 60)
    ui = controller.theme.ui
    spin.setSpecialValueText(" ")  # no digit, which would be seen
    box = rows.visualItemRect(row)
    edge = rows.grab(QRect(0, box.top(), 5, box.height())).toImage()
    assert max(contrast(shade, ui.base) for shade in shades(edge)) >= EDGE
    for widget in (spin, combo):
        edge = widget.grab(QRect(0, 0, 4, widget.height())).toImage()
        assert max(contrast(shade, ui.base) for shade in shades(edge)) >= EDGE


@pytest.mark.parametrize("state", STATES)
def test_a_state_is_readable_and_its_line_visible_on_its_own_surface(theme: Theme, state: str) -> None:
    tint = theme.state(state)
    assert contrast(tint.fg, tint.bg) >= READABLE
    assert contrast(tint.line, tint.bg) >= VISIBLE


def test_structure_is_readable_even_where_text_crosses_a_hatch(theme: Theme) -> None:
    for name in ("header", "length"):
        assert contrast(theme.structure(name).fg, theme.structure(name).bg) >= READABLE
        assert contrast(theme.structure(name).line, theme.structure(name).bg) >= VISIBLE
    for name in ("padding", "gap"):
        assert contrast(theme.structure(name).fg, theme.structure(name).line) >= READABLE


def test_zero_bytes_are_readable_inside_every_tint(theme: Theme) -> None:
    for group in GROUPS:
        assert contrast(theme.structure("header").fg, theme.kind(group).bg) >= READABLE


def test_the_accent_carries_text_and_shows_the_focus(theme: Theme) -> None:
    assert contrast(theme.ui.accent_text, theme.ui.accent) >= READABLE
    for surface in (theme.ui.base, theme.ui.panel, theme.ui.selection):
        assert contrast(theme.ui.focus, surface) >= VISIBLE


def test_every_group_of_the_shapes_has_a_colour() -> None:
    shapes = tomllib.loads(assets.text("shapes.toml"))["shapes"]
    assert {shape["group"] for shape in shapes.values()} <= set(GROUPS)


def test_an_unknown_group_looks_like_structure(theme: Theme) -> None:
    assert theme.kind("of a fork") is theme.structure("header")


def test_light_and_dark_are_what_they_say() -> None:
    assert not palette.theme(palette.LIGHT).is_dark
    assert palette.theme(palette.DARK).is_dark


def test_a_theme_file_of_a_user_may_replace_any_value() -> None:
    table = tomllib.loads(assets.text("palette.toml"))
    own = palette.load("dark", table, {"dark": {"ui": {"base": "#000000"}, "kind": {"text": {"fg": "#00ff00"}}}})
    assert own.ui.base == QColor("#000000")
    assert own.kind("text").fg == QColor("#00ff00")
    assert own.kind("text").bg == palette.theme("dark").kind("text").bg


def test_a_value_that_is_no_colour_is_refused() -> None:
    table = tomllib.loads(assets.text("palette.toml"))
    with pytest.raises(ValueError, match="greenish"):
        palette.load("dark", table, {"dark": {"ui": {"base": "greenish"}}})


def test_a_colour_has_a_dotted_name(theme: Theme) -> None:
    assert theme.named("text") is theme.ui.text
    assert theme.named("state.error.line") is theme.state("error").line


def test_what_the_style_sheet_draws_are_our_drawings_in_the_colours_of_the_theme(theme: Theme) -> None:
    folder = "dark" if theme.is_dark else "light"
    for name, role in SHEET_DRAWINGS.items():
        ours = assets.text("icons", f"{name}.svg").replace("currentColor", theme.named(role).name())
        assert assets.text("icons", folder, f"{name}.svg") == ours
        assert f"{folder}/{name}.svg" in style_sheet(theme)


def test_the_style_sheet_is_read_whatever_the_folder_of_the_program_is_called(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / '5" disk (c)'
    for name in (palette.LIGHT, palette.DARK):
        (root / "icons" / name).mkdir(parents=True)
    monkeypatch.setattr(assets, "root", lambda: root)
    label = QLabel()
    qtbot.addWidget(label)
    label.setStyleSheet(style_sheet(theme) + "QLabel { background: #123456; }")
    assert label.grab().toImage().pixelColor(0, 0) == QColor("#123456")


RED = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4" fill="#ff0000"/></svg>'


@pytest.mark.skipif(os.name == "nt", reason="no folder has such a name there")
@pytest.mark.parametrize("name", ["a\\b", "a\\41 b", 'a"b', "a\nb", "a%41#b;{}", ":a", "a\\"])
def test_arrows_are_drawn_whatever_the_folder_of_the_program_is_called(
    qtbot: QtBot, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for folder in (palette.LIGHT, palette.DARK):
        icons_of_theme = tmp_path / name / "icons" / folder
        icons_of_theme.mkdir(parents=True)
        (icons_of_theme / "chevron-down.svg").write_text(RED)
    monkeypatch.setattr(assets, "root", lambda: tmp_path / name)
    box = QComboBox()
    qtbot.addWidget(box)
    box.setStyleSheet(style_sheet(theme))
    picture = box.grab().toImage()
    drawn = [QColor(picture.pixel(x, picture.height() // 2)) for x in range(picture.width())]
    monkeypatch.undo()
    style_sheet(theme)  # which tells Qt the true folder again
    assert QColor("#ff0000") in drawn


def test_all_drawings_are_there() -> None:
    assert set(NEEDED) <= set(icons.names())


@pytest.mark.parametrize("name", NEEDED)
def test_an_icon_renders_in_its_colour_at_every_pixel_ratio(qtbot: QtBot, theme: Theme, name: str) -> None:
    for ratio in (1.0, 1.25, 1.5, 1.75, 2.0):
        image = icons.pixmap(name, theme, 16, ratio).toImage()
        assert image.width() == round(16 * ratio)
        shades = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
        solid = [shade for shade in shades if shade.alpha() > 200]
        assert solid
        assert all(abs(shade.red() - theme.ui.text_secondary.red()) <= 3 for shade in solid)


def test_a_disabled_icon_is_paler(qtbot: QtBot, theme: Theme) -> None:
    icon = icons.icon("save", theme)
    normal = icon.pixmap(QSize(16, 16), 1.0, QIcon.Mode.Normal).toImage()
    disabled = icon.pixmap(QSize(16, 16), 1.0, QIcon.Mode.Disabled).toImage()
    assert normal != disabled


@pytest.fixture
def controller(qapp: QApplication) -> Iterator[ThemeController]:
    """Dresses the application, and undresses it."""
    before = qapp.palette(), qapp.style().name(), qapp.font()
    made = ThemeController(qapp, palette.LIGHT)
    yield made
    made.choose("system")
    made.deleteLater()
    qapp.setStyleSheet("")
    qapp.setStyle(before[1])
    qapp.setPalette(before[0])
    qapp.setFont(before[2])


def test_a_choice_dresses_the_application_and_tells(
    qtbot: QtBot, qapp: QApplication, controller: ThemeController
) -> None:
    assert qapp.palette().color(QPalette.ColorRole.Base) == palette.theme(palette.LIGHT).ui.base
    with qtbot.waitSignal(controller.changed) as changed:
        controller.choose(palette.DARK)
    assert changed.args == [palette.theme(palette.DARK)]
    assert qapp.palette().color(QPalette.ColorRole.Base) == palette.theme(palette.DARK).ui.base
    assert palette.theme(palette.DARK).ui.accent.name() in qapp.styleSheet()
    assert controller.theme is palette.theme(palette.DARK)


def test_the_same_choice_again_changes_nothing(qtbot: QtBot, controller: ThemeController) -> None:
    with qtbot.assertNotEmitted(controller.changed):
        controller.choose(palette.LIGHT)
    with pytest.raises(ValueError, match="sepia"):
        controller.choose("sepia")


def test_the_style_sheet_names_no_colour_of_its_own(theme: Theme) -> None:
    assert "#" not in SHEET.template
    assert "$" not in style_sheet(theme)
