"""Asks captures, by the answers of the program: as rows, and as frames where pandas, polars or pyarrow is there."""
from __future__ import annotations

import importlib.util, os, pathlib, re, tempfile
from typing import TYPE_CHECKING, Any, Callable, Iterator, TypeVar, Union

from .binary import Command, Row, VizdError, as_input, as_options

if TYPE_CHECKING:
    import pandas, polars, pyarrow

Frame = TypeVar("Frame")
Path = Union[str, "os.PathLike[str]"]


class Answer:
    """The rows of an answer, each a dict by the names of its columns. Each time they are gone through, the capture is
    asked anew; the program keeps what it has read of large ones."""

    def __init__(self, arguments: list[str], to_arrow_file: list[str] | None = None) -> None:
        self._arguments = arguments
        self._to_arrow_file = to_arrow_file  # arguments that have it written as an Arrow file, where it can be

    def __iter__(self) -> Iterator[Row]:
        return Command(self._arguments).rows()

    def rows(self) -> list[Row]:
        return list(self)

    def to_arrow(self) -> pyarrow.Table:
        import pyarrow, pyarrow.ipc
        return self._read_arrow_file(lambda path: pyarrow.ipc.open_file(path).read_all(), pyarrow.Table.from_pylist)

    def to_pandas(self) -> pandas.DataFrame:
        import pandas
        if self._to_arrow_file and importlib.util.find_spec("pyarrow"):
            return self.to_arrow().to_pandas()
        return pandas.DataFrame.from_records(self.rows())

    def to_polars(self) -> polars.DataFrame:
        import polars
        return self._read_arrow_file(lambda path: polars.read_ipc(pathlib.Path(path).read_bytes()),
                                     lambda rows: polars.from_dicts(rows, infer_schema_length=None))

    def _read_arrow_file(self, read: Callable[[str], Frame], make: Callable[[list[Row]], Frame]) -> Frame:
        if self._to_arrow_file is None:
            return make(self.rows())
        with tempfile.TemporaryDirectory(prefix="vizd-") as folder:
            path = os.path.join(folder, "answer.arrow")
            Command([*self._to_arrow_file, "--output", path]).text()
            return read(path)

    def __repr__(self) -> str:
        return f"<the answer of vizd {' '.join(self._arguments)}>"


class Reader:
    """Captures that are open to be asked. Several are asked as one.

    counts: what is in them, as in the first record of `vizd ls`; "skipped" counts records left out, by reason."""

    def __init__(self, paths: tuple[Path, ...], options: dict[str, Any]) -> None:
        if not paths and not options:
            raise VizdError("name a capture to open")
        self._inputs = [as_input(path) for path in paths]
        self._options = as_options(options)
        no_name = "\x01"  # the record of counts alone
        self.counts: Row = next(iter(self.ask("ls", name=no_name).rows()))

    def tables(self) -> list[str]:
        """The names of SQL's tables. Those about devices need a profile, those about rewrites a compiler's."""
        schema = Command(["sql", "--schema"]).text()
        return re.findall(r"^(\w+): ", schema.split("\nViews")[0], re.MULTILINE)

    def sql(self, query: str, *, limit: int | None = None, time: int | None = None) -> Answer:
        """One SELECT, in SQLite's SQL, over the tables of docs/sql.md. time: seconds that it may take, by default 60."""
        asked = ["sql", query, *self._inputs, *self._options, *as_options({"limit": limit, "time": time})]
        return Answer([*asked, "--json"], [*asked, "--to", "arrow"])

    def table(self, name: str) -> Answer:
        """All of one of SQL's tables: slice, kernel, allocation, match, …"""
        return self.sql('SELECT * FROM "' + name.replace('"', '""') + '"')

    def kernels(self, **options: Any) -> Answer:
        """What ran on the devices, as in `vizd kernels`: group="operator", step=3, tree=True, collectives=True, …"""
        return self.ask("kernels", **options)

    def breakdown(self, **options: Any) -> Answer:
        """Where the time of each device went, as in `vizd breakdown`."""
        return self.ask("breakdown", **options)

    def summary(self, **options: Any) -> Answer:
        """Passes and rules by matches, events by time, as in `vizd summary`."""
        return self.ask("summary", **options)

    def ask(self, command: str, **options: Any) -> Answer:
        """The answer of any command on captures that takes --json: ask("rules"), ask("text", …). docs/commands.md lists
        them with their options."""
        return Answer([command, *self._inputs, *self._options, *as_options(options), "--json"])

    def __repr__(self) -> str:
        return f"<vizd.Reader of {', '.join(self._inputs)}>"


def open(*paths: Path, **options: Any) -> Reader:
    """Opens captures, known by their content, or folders of them. options are those of the command line, with
    underscores: open(kernels="rewrites.pkl", profile="profile.pkl"), open("x.etdp", etrecord="etrecord.bin").
    Raises VizdError where they cannot be read."""
    return Reader(paths, options)
