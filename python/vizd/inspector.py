"""ExecuTorch's Inspector by the program's answers: its blocks and events under the names that its users know. Needs no
ExecuTorch, and pandas for data frames alone. Tensors are described (type, shape, hash, figures), not handed out."""
from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Union

from .binary import Row
from .reader import Reader

if TYPE_CHECKING:
    import pandas

Path = Union[str, "os.PathLike[str]"]

_STATISTICS = ("p10", "p50", "p90", "avg", "min", "max")


@dataclass(frozen=True)
class PerfData:
    """Durations of an event, one an iteration, in the unit of its block, and what they come to."""

    raw: list[float]
    p10: float
    p50: float
    p90: float
    avg: float
    min: float
    max: float


@dataclass(frozen=True)
class Event:
    """What ran. row: all that the program tells of it, as `vizd summary --json` does."""

    name: str
    perf_data: PerfData | None
    op_types: list[str]
    delegate_debug_identifier: int | str | None
    debug_handles: Any
    stack_traces: dict[str, str]
    module_hierarchy: dict[str, Any]
    is_delegated_op: bool
    delegate_backend_name: str | None
    delegate_debug_metadatas: Any
    debug_data: Any
    start_time: list[int]
    row: Row = field(repr=False)

    @classmethod
    def of(cls, row: Row) -> Event:
        return cls(
            row["name"],
            PerfData(row["raw"], *(row[name] for name in _STATISTICS)) if row.get("raw") else None,
            row["op_types"], row["delegate_id"], row["debug_handles"], row["stack_traces"], row["module_hierarchy"],
            row["is_delegated"], row["delegate"], row["delegate_metadata"], row["debug_data"], row["start"], row)

    def columns(self, block: EventBlock, unit: str, metadata: bool) -> Row:
        times = {name: getattr(self.perf_data, name, None) for name in ("raw", *_STATISTICS)}
        out: Row = {"event_block_name": block.name, "event_name": self.name}
        out.update({name if name == "raw" else name + unit: value for name, value in times.items()})
        for name in ("op_types", "delegate_debug_identifier", "stack_traces", "module_hierarchy", "is_delegated_op",
                     "delegate_backend_name", "debug_data", "start_time"):
            out[name] = getattr(self, name)
        if metadata:
            told = self.delegate_debug_metadatas
            out.update(told if isinstance(told, dict) else {"delegate_debug_metadata": told})
        return out


@dataclass(frozen=True)
class EventBlock:
    """Events of one run of a program, or of its loading. Times are in target_time_scale."""

    name: str
    events: list[Event]
    source_time_scale: str
    target_time_scale: str
    run_output: Any
    reference_output: Any
    row: Row = field(repr=False)

    def rows(self, include_units: bool = False, include_delegate_debug_data: bool = False) -> list[Row]:
        """A dict for each event, by the columns of the Inspector's data frame, in its order."""
        unit = f" ({self.target_time_scale})" if include_units else ""
        return [event.columns(self, unit, include_delegate_debug_data) for event in self.events]

    def to_dataframe(self, include_units: bool = False, include_delegate_debug_data: bool = False) -> pandas.DataFrame:
        import pandas
        return pandas.DataFrame.from_records(self.rows(include_units, include_delegate_debug_data))


class Inspector:
    """An ETDump, or the folder that holds it with what belongs to it. Names that are not given are looked for beside it.
    Further options are those of `vizd summary`: delegate_metadata=..., delegate_ticks=...
    Raises VizdError where the dump cannot be read."""

    def __init__(self, etdump_path: Path, etrecord: Path | None = None, source_time_scale: str | None = None,
                 target_time_scale: str | None = None, debug_buffer_path: Path | None = None, **options: Any) -> None:
        asked = {"etrecord": etrecord, "debug_buffer": debug_buffer_path, **options}
        scales = {"source_time_scale": source_time_scale, "target_time_scale": target_time_scale}
        self.reader = Reader((etdump_path,), {**asked, **scales})
        events: dict[int, list[Event]] = {}
        self.event_blocks: list[EventBlock] = []
        for row in self.reader.summary():
            if row.get("record") == "event":
                events.setdefault(row["block_index"], []).append(Event.of(row))
            elif row.get("record") == "block":
                self.event_blocks.append(EventBlock(
                    row["block"], events.setdefault(row["block_index"], []), row["source_unit"], row["unit"],
                    row["run_output"], row["reference_output"], row))

    def rows(self, include_units: bool = True, include_delegate_debug_data: bool = False) -> list[Row]:
        """The events of all blocks."""
        return [row for block in self.event_blocks for row in block.rows(include_units, include_delegate_debug_data)]

    def to_dataframe(self, include_units: bool = True, include_delegate_debug_data: bool = False) -> pandas.DataFrame:
        import pandas
        return pandas.DataFrame.from_records(self.rows(include_units, include_delegate_debug_data))

    def __repr__(self) -> str:
        return f"<vizd.Inspector of {self.reader!r}: {len(self.event_blocks)} blocks>"
