"""Writes a report into its folder: page, Markdown, JSON, workbook, tables and figures, all of them or none."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

from threadpoolctl import threadpool_limits

from rogsim.base.errors import ResultsError
from rogsim.base.files import parse_json, read_bytes
from rogsim.base.output_paths import check_writable
from rogsim.base.progress import Notify
from rogsim.report.balance.build import build_report
from rogsim.report.balance.sources import gather
from rogsim.report.document import Picture, Report
from rogsim.report.render.drawing import write_files
from rogsim.report.render.html import page
from rogsim.report.render.json_data import DATA, FORMAT, MOST_BYTES, as_json
from rogsim.report.render.markdown import markdown
from rogsim.report.render.table_files import TABLES, WORKBOOK, write_tables
from rogsim.report.render.workbook import workbook
from rogsim.results.drafts import check_name, writing
from rogsim.results.inventory import check_outside_results
from rogsim.results.output_folders import FolderKind, check_contents

PAGE, TEXT, FIGURES = "index.html", "report.md", "figures"
FILES = (PAGE, TEXT, DATA, WORKBOOK, TABLES, FIGURES)


def make_report(
    folders: Sequence[Path], out: Path, notify: Notify = lambda _: None, settled: Sequence[Path] = ()
) -> Report:
    """Write the report on some results folders into `out`, and return it.

    notify: receives lines on progress. settled: folders that `rogsim settle` wrote, on the same game. The errors are
    those of `gather`, and ResultsError if `out` holds anything but an older report.
    """
    check_place(out)
    with threadpool_limits(limits=1, user_api="blas"):  # for many small matrices threads cost more than they gain
        report = build_report(gather(folders, notify=notify, settled=settled), out)
    write_report(report, out, notify)
    return report


def write_report(report: Report, out: Path, notify: Notify = lambda _: None) -> None:
    """Write a report into its folder; an older report is replaced once everything is written."""
    with writing(out, check_place) as draft:
        write_into(report, draft, notify)


def write_into(report: Report, draft: Path, notify: Notify = lambda _: None) -> None:
    """Write the files of a report into a folder that has none of them yet."""
    (draft / FIGURES).mkdir()
    drawings = {}
    for section in report.sections:
        for picture in section.pictures:
            notify(f"drawing {picture.name}")
            drawings[picture.name] = write_picture(picture, draft / FIGURES)
    (draft / PAGE).write_text(page(report, drawings), encoding="utf-8")
    (draft / TEXT).write_text(markdown(report), encoding="utf-8")
    (draft / DATA).write_text(as_json(report), encoding="utf-8")
    (draft / WORKBOOK).write_bytes(workbook(report))
    write_tables(report, draft)


def write_picture(picture: Picture, folder: Path) -> str:
    """Draw a figure into its files; return the SVG."""
    return write_files(picture.draw(), folder, picture.name)


def copy_figures(draft: Path, names: Sequence[str]) -> None:
    """Copy the figures that a page has to its folder itself, where some commands had plots before there was a page."""
    for name in names:
        if (draft / FIGURES / name).is_file():  # a page draws nothing where there is nothing to compare
            shutil.copyfile(draft / FIGURES / name, draft / name)


def check_place(folder: Path) -> None:
    """Refuse a folder that cannot be written, or that holds anything but an older report, which is replaced."""
    check_name(folder)
    check_outside_results(folder)
    if folder.exists():
        _check_content(folder)
    check_writable(folder)


def check_with_page(kind: FolderKind, folder: Path) -> None:
    """Refuse a folder that cannot be written, or holds anything but an older one of this kind and the page in it."""
    check_name(folder)
    check_outside_results(folder)
    listed = _listed_in(folder / DATA)
    subfolders = (folder / FIGURES, folder / TABLES)
    if listed is None:
        kind.check(folder)
    else:
        kind.check(folder, (PAGE, TEXT, DATA, *({WORKBOOK} & listed)), subfolders)
        _check_subfolders(subfolders, listed, f"a {kind.name}")
    check_writable(folder)


def _check_content(folder: Path) -> None:
    if not folder.is_dir():
        raise ResultsError(f"{folder}: is a file; a report needs a folder")
    if any(folder.iterdir()):
        _check_older(folder)


def _check_older(folder: Path) -> None:
    """Refuse a folder that holds anything but a report: its files, and those that its data lists."""
    listed = _listed_in(folder / DATA)
    subfolders = (folder / FIGURES, folder / TABLES)
    check_contents(folder, {PAGE, TEXT, DATA} | ({WORKBOOK} & (listed or set())), "a report", besides=subfolders)
    if not (folder / PAGE).exists():
        raise ResultsError(f"{folder}: holds no complete report: {PAGE} is missing; name another folder")
    if listed is None:
        raise ResultsError(
            f"{folder}: holds no complete report: {DATA} is not the data of a report; name another folder"
        )
    _check_subfolders(subfolders, listed, "a report")


def _check_subfolders(subfolders: Collection[Path], listed: Collection[str], what: str) -> None:
    for subfolder in filter(Path.exists, subfolders):
        own = {name.removeprefix(f"{subfolder.name}/") for name in listed if name.startswith(f"{subfolder.name}/")}
        check_contents(subfolder, own, what)


def _listed_in(path: Path) -> set[str] | None:
    """Return the files that a report's data lists besides itself, the page and its text; None if it is no such data.

    An older report has neither a workbook nor tables, so files of these names beside it are not rogsim's.
    """
    try:
        data = parse_json(read_bytes(path, MOST_BYTES))
        if data["format"] != FORMAT:
            return None
        figures = [figure["name"] for section in data["sections"] for figure in section["figures"]]
        files = {str(name) for name in data.get("files", ())}
    except (OSError, ValueError, LookupError, TypeError):
        return None
    return files | {f"{FIGURES}/{name}.{kind}" for name in figures for kind in ("png", "svg")}
