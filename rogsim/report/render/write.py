"""Writes a report into its folder: page, Markdown, JSON, workbook, tables and figures, all of them or none."""

from __future__ import annotations

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from rogsim.base.child_process import call_apart
from rogsim.base.errors import ResultsError
from rogsim.base.files import check_writable, is_by_system, parse_json, read_bytes
from rogsim.base.progress import Notify
from rogsim.base.text import name_fault
from rogsim.report.document import Picture, Report
from rogsim.report.figures.style import narrow
from rogsim.report.render.data_files import DATA, FORMAT, MOST_BYTES, TABLES, WORKBOOK, as_json, write_tables
from rogsim.report.render.pages import images_of, markdown, page, svg, write_files
from rogsim.report.render.workbook import workbook
from rogsim.results.inventory import check_outside_results
from rogsim.results.output_folders import FolderKind, check_contents, writing

PAGE, TEXT, FIGURES = "index.html", "report.md", "figures"
FILES = (PAGE, TEXT, DATA, WORKBOOK, TABLES, FIGURES)
MANY = 6  # figures, which take longer to draw than another process to start


def write_report(report: Report, out: Path, notify: Notify = lambda _: None) -> None:
    """Write a report into its folder; an older report is replaced once everything is written."""
    with writing(out, check_place) as draft:
        write_into(report, draft, notify)


def write_into(report: Report, draft: Path, notify: Notify = lambda _: None) -> None:
    """Write the files of a report into a folder that has none of them yet."""
    (draft / FIGURES).mkdir()
    drawings = _draw(report, draft / FIGURES, notify)
    (draft / PAGE).write_text(page(report, drawings), encoding="utf-8")
    (draft / TEXT).write_text(markdown(report), encoding="utf-8")
    (draft / DATA).write_text(as_json(report), encoding="utf-8")
    (draft / WORKBOOK).write_bytes(workbook(report))
    write_tables(report, draft)


def _draw(report: Report, folder: Path, notify: Notify) -> dict[str, str]:
    """Draw all figures, with the help of another process if there are many; return their drawings for the page."""
    images, left, drawings = images_of(report), iter(report.pictures), dict[str, str]()

    def draw(write: Callable[..., dict[str, str]]) -> None:
        for picture in left:
            notify(f"drawing {picture.name}")
            drawings.update(write(picture, folder, picture.name in images))

    with ThreadPoolExecutor(1) as executor:
        helper = len(report.pictures) >= MANY and executor.submit(draw, partial(call_apart, write_picture))
        try:
            draw(write_picture)
        finally:
            list(left)  # after an error the helper finds no more to draw
        if helper:
            helper.result()
    return drawings


def write_picture(picture: Picture, folder: Path, image: bool) -> dict[str, str]:
    """Draw a figure as SVG, and as PNG if it is also wanted as an image; return the drawings that `page` takes."""
    drawn = write_files(picture.draw(), folder, picture.name, image)
    with narrow():
        return {picture.name: drawn, f"{picture.name}-narrow": svg(picture.draw())}


def check_place(folder: Path) -> None:
    """Refuse a folder that cannot be written, or that holds anything but an older report, which is replaced."""
    _check(folder, "report", (), DATA, FORMAT)


def check_with_page(kind: FolderKind, folder: Path) -> None:
    """Refuse a folder that cannot be written, or holds anything but an older one of this kind and the page in it."""
    _check(folder, kind.name, kind.files, kind.manifest, kind.format)


def _check(folder: Path, what: str, files: Collection[str], manifest: str, form: str) -> None:
    """Refuse a folder that holds anything but a page and these files, and one whose manifest has another format."""
    if wrong := name_fault(folder.absolute().name):
        raise ResultsError(f"{folder}: {wrong}")
    check_outside_results(folder)
    if folder.exists():
        if not folder.is_dir():
            raise ResultsError(f"{folder}: is a file; a {what} needs a folder")
        names = {PAGE, TEXT, DATA, WORKBOOK, *files, *_listed_in(folder / DATA)}
        check_contents(folder, names, (FIGURES, TABLES), f"a {what}")
        if not all(map(is_by_system, folder.iterdir())) and _data_in(folder / manifest).get("format") != form:
            why = f"{manifest} is {'not its manifest' if (folder / manifest).exists() else 'missing'}"
            raise ResultsError(f"{folder}: holds no complete {what}: {why}; name another folder")
    check_writable(folder)


def _listed_in(path: Path) -> set[str]:
    """Return the tables and figures that a report's data lists, as paths in its folder; none if it is no such data."""
    data = _data_in(path)
    try:
        figures = [figure["name"] for part in (data, *data["sections"]) for figure in part["figures"]]
        files = {str(name) for name in data["files"]}
    except (LookupError, TypeError):
        return set()
    return files | {f"{FIGURES}/{name}.{kind}" for name in figures for kind in ("png", "svg")}


def _data_in(path: Path) -> dict[str, Any]:
    """Return the content of a JSON file; empty if there is no such file, or no object in it."""
    try:
        data = parse_json(read_bytes(path, MOST_BYTES))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
