"""Records what a compiler does, and what devices do, into a capture that vizd opens. Pure Python, no dependencies.

    import vizd
    with vizd.Capture("run.bin") as c:
        add = c.kind("ADD", "#c0f0c0")
        ...

This file works alone too, copied into a compiler's own tree. `python3 capture.py OUT.bin` records an example: a small
rewriter of arithmetic. include/vizd/FORMAT.md describes the format. Not thread-safe; flush() makes what was recorded
readable, and happens by itself now and then.
"""
from __future__ import annotations

import array, os, struct, sys, time, zlib
from types import TracebackType
from typing import Any, Iterable, Mapping, Sequence, SupportsFloat, SupportsIndex, Union

Text = Union[str, bytes]
# An integer, a real number or a text; NumPy's numbers too.
Value = Union[SupportsIndex, SupportsFloat, str]

_MAGIC = b"\x89vizd\r\n\x1a"
_STRINGS, _FACTS, _LOCATIONS, _KINDS = range(1, 5)
_OPS, _CONTEXTS, _LINKS, _PASSES, _MATCHES, _PROGRAMS = range(6, 12)
_EVENTS, _ALLOCATIONS, _FREES, _COUNTERS, _SAMPLES, _MARKERS, _FLOWS = range(21, 28)
_TRACKS, _ARGUMENTS, _RUNS, _CAPTURE_FACTS, _MEASURES, _OP_VALUES, _STACKS, _STACK_SAMPLES = range(29, 37)
_END = 40
_ORDER = (_FACTS, _CAPTURE_FACTS, _STACKS, _LOCATIONS, _KINDS, _OPS, _CONTEXTS, _LINKS, _PASSES, _MATCHES, _PROGRAMS,
          _MEASURES, _OP_VALUES, _TRACKS, _ARGUMENTS, _RUNS, _EVENTS, _ALLOCATIONS, _FREES, _COUNTERS, _SAMPLES,
          _STACK_SAMPLES, _MARKERS, _FLOWS)
_NUMBERED = {_LOCATIONS, _KINDS, _OPS, _CONTEXTS, _PASSES, _COUNTERS, _MEASURES, _TRACKS, _ARGUMENTS, _STACKS}
_REALS = {(_MATCHES, 5), (_SAMPLES, 3), (_TRACKS, 5), (_CAPTURE_FACTS, 6), (_OP_VALUES, 3), (_STACK_SAMPLES, 4)}
_INTEGER, _REAL, _TEXT = 1, 2, 3  # types of arguments and facts
_EVENT_KINDS = {"span": 0, "instant": 1, "unfinished": 2, "asynchronous": 3}
_MOST_RECORDS = 65536  # that wait to be written
_INTEGERS = ((1, "B", 0, 1 << 8), (2, "H", 0, 1 << 16), (3, "I", 0, 1 << 32), (4, "Q", 0, 1 << 64),
             (5, "b", -(1 << 7), 1 << 7), (6, "h", -(1 << 15), 1 << 15), (7, "i", -(1 << 31), 1 << 31),
             (8, "q", -(1 << 63), 1 << 63))


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 8)


def _column(number: int, numbers: Sequence[Any], real: bool = False) -> bytes:
    if real:
        kind = 10
        packed: array.array[Any] = array.array("d", numbers)
    else:
        least, most = min(numbers), max(numbers)
        kind, code = next((k, c) for k, c, low, high in _INTEGERS if low <= least and most < high)
        packed = array.array(code, numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return struct.pack("<HBBI", number, kind, 0, len(packed)) + _padded(packed.tobytes())


def _ref(number: int | None) -> int:
    return 0 if number is None else number + 1


class Capture:
    """Ids that it returns are plain integers. Every name may hold any text; times are nanoseconds on one clock."""

    def __init__(self, path: str | os.PathLike[str], append: bool = False) -> None:
        self._file = open(path, "ab" if append else "wb")
        self._file.write(_MAGIC + struct.pack("<II", 2, 1))  # 1: ends with a chunk that says so
        self._chunks = 0
        self._strings: dict[Text, int] = {"": 0, b"": 0}
        self._new_strings: list[Text] = []
        self._records: dict[int, list[tuple[Any, ...]]] = {kind: [] for kind in _ORDER}
        self._counts = dict.fromkeys(_ORDER, 0)
        self._known: dict[tuple[Any, ...], int] = {}

    def __enter__(self) -> Capture:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.close()

    # What the compiler does.

    def kind(self, name: Text, colour: Text = "", inlined: bool = False) -> int:
        """A kind of op, with the colour of its boxes (#rrggbb); inlined: lines in their users' boxes."""
        return self._add_once(_KINDS, self._text(name), self._text(colour), int(inlined))

    def location(self, file: Text, line: int, code: Text = "") -> int:
        """A place in the compiler's source: of a rule or a pass. code: the line itself."""
        return self._add_once(_LOCATIONS, self._text(file), line, self._text(code) + 1 if code else 0)

    def op(self, kind: int, sources: Iterable[int] = (), *, dtype: Text = "", argument: Text = "", tag: Text = "",
           shape: Text = "", label: Text = "", text: Text = "", identity: int = 0, context: int | None = None,
           inlined: bool = False) -> int:
        texts = [self._text(t) for t in (dtype, argument, tag, shape, label, text)]
        return self._add(_OPS, kind, tuple(sources), *texts, identity, _ref(context), int(inlined))

    def context(self, name: Text, stack: int | None = None) -> int:
        """stack: where in the user's program it was asked for."""
        return self._add(_CONTEXTS, self._text(name), _ref(stack))

    def link(self, name: Text, context: int) -> None:
        """That the name (of a kernel, of an event) leads to the context."""
        self._add(_LINKS, context, 0, self._text(name))

    def graph_pass(self, context: int, name: Text, graph: int, location: int, depth: int = 0,
                   whole_graphs: bool = False) -> int:
        """A pass over the graph under an op. whole_graphs: told with graph() instead of match()."""
        return self._add(_PASSES, context, self._text(name), location, graph, depth, 4 if whole_graphs else 0)

    def match(self, graph_pass: int, before: int, after: int, rule: int, seconds: float = -1.0) -> None:
        self._add(_MATCHES, graph_pass, before, after, rule, seconds)

    def graph(self, graph_pass: int, root: int, location: int, seconds: float = -1.0) -> None:
        self._add(_MATCHES, graph_pass, 0, root, location, seconds)

    def program(self, context: int | None, name: Text, source: Text, device: Text, binary: bytes = b"") -> None:
        """context: None where none made it. binary: the bytes that the device runs, an object file or bare code."""
        self._add(_PROGRAMS, context or 0, self._text(name), self._text(source), self._text(device), 0,
                  self._text(binary), int(context is None))

    def measure(self, name: Text, unit: Text = "") -> int:
        """A number on ops, to colour graphs by: how long each took."""
        return self._add_once(_MEASURES, self._text(name), self._text(unit))

    def op_value(self, measure: int, op: int, value: float) -> None:
        """At most one a measure and op."""
        self._add(_OP_VALUES, measure, op, value)

    # What devices do.

    def clock(self, name: Text, unix_offset_ns: int | None = None) -> None:
        """Once: what times count from. Captures whose clocks have one name share it. unix_offset_ns: Unix time when
        the clock was zero."""
        self._add(_FACTS, self._text("clock"), self._text(name), 0)
        if unix_offset_ns is not None:
            self._add(_FACTS, self._text("unix_offset_ns"), 0, unix_offset_ns)

    def track(self, name: Text, kind: Text = "", parent: int | None = None, sort: int = 0, hertz: float = 0) -> int:
        """A node of the tree on which all that devices do hangs. kind: rank, host, process, thread, device, engine,
        stream, memory, counter, or nothing. The same for the same name and kind under the same parent."""
        return self._track(name, kind, parent, sort, hertz)

    def lane(self, name: Text, rank: Text = "", process: Text = "", device: Text = "", stream: Text = "",
             hertz: float = 0) -> int:
        """A track under those of its rank, process and device. hertz: of the clock that timed it."""
        parent: int | None = None
        kind = "stream" if stream else ""
        for group_kind, group in (("rank", rank), ("process", process), ("device", device)):
            if group and group == name and not kind:
                kind = group_kind
                break
            if group:
                parent = self.track(group, group_kind, parent)
        return self._track(name, kind, parent, 0, hertz, stream)

    def event(self, track: int, name: Text, start_ns: int, dur_ns: int, info: str = "", context: int | None = None, *,
              kind: str = "span", category: Text = "", error: bool = False,
              arguments: Mapping[str, Value | tuple[Value, str]] | None = None) -> None:
        """kind: span, instant, unfinished or asynchronous. error: what it did failed. arguments: by name an integer,
        a real number or a text, or a pair of one and its unit ("B", "FLOP", "ns", ...). info: an argument of that
        name."""
        given = dict(arguments or {})
        if info:
            given["info"] = info
        self._add(_EVENTS, track, start_ns, dur_ns, self._text(name), _ref(context), _EVENT_KINDS[kind],
                  self._text(category), int(error), tuple(self._argument(*item) for item in given.items()))

    def instant(self, track: int, name: Text, at_ns: int, **about: Any) -> None:
        """An event that takes no time; about: as of event()."""
        self.event(track, name, at_ns, 0, kind="instant", **about)

    def run(self, kind: Text, name: Text, number: int, from_ns: int, to_ns: int, track: int | None = None) -> None:
        """A part of the time: a "step", a "call". track: whose it is; None: everybody's."""
        self._add(_RUNS, _ref(track), self._text(kind), self._text(name), number, from_ns, to_ns)

    def fact(self, subject: Text, name: Text, value: Value, unit: Text = "") -> None:
        """What the capture should say of a device, or with subject "" of itself."""
        kind, integer, real = self._value(value)
        self._add(_CAPTURE_FACTS, self._text(subject), self._text(name), self._text(unit), kind, integer, real)

    def stack(self, function: Text, file: Text = "", line: int = 0, caller: int | None = None) -> int:
        """A call stack: its innermost frame, and the stack that called it."""
        return self._add_once(_STACKS, self._text(function), self._text(file), line, _ref(caller))

    def stack_sample(self, track: int, at_ns: int, stack: int, weight: float = 1.0) -> None:
        """That a track stood there at a time. weight: what the sample stands for, in samples."""
        self._add(_STACK_SAMPLES, track, at_ns, stack, weight)

    def counter(self, track: int, name: Text, unit: Text = "") -> int:
        return self._add_once(_COUNTERS, self._text(name), self._text(unit), track)

    def sample(self, counter: int, at_ns: int, value: float) -> None:
        self._add(_SAMPLES, counter, at_ns, value)

    def allocation(self, track: int, key: int, at_ns: int, size_bytes: int, what: Text = "", category: Text = "",
                   address: int | None = None, context: int | None = None) -> None:
        """A buffer in the track's memory; its key may be used again after free(). what: the type of its items."""
        self._add(_ALLOCATIONS, track, key, at_ns, size_bytes, 1, self._text(what), 0, 0, 0,
                  0 if address is None else 2, self._text(category), _ref(context), address or 0)

    def free(self, track: int, key: int, at_ns: int) -> None:
        self._add(_FREES, track, key, at_ns)

    def marker(self, name: Text, at_ns: int, colour: Text = "") -> None:
        self._add(_MARKERS, at_ns, self._text(name), self._text(colour))

    def flow(self, from_track: int, from_ns: int, to_track: int, to_ns: int) -> None:
        """That what happens on the one track at a time led to what happens on the other at another."""
        self._add(_FLOWS, from_track, from_ns, to_track, to_ns)

    # The file.

    def flush(self) -> None:
        if self._new_strings:
            encoded = [s if isinstance(s, bytes) else s.encode("utf-8", "surrogatepass") for s in self._new_strings]
            first = len(self._strings) - 1 - len(encoded)
            self._write(_STRINGS, len(encoded), first, _column(1, [len(s) for s in encoded]) + self._bytes(2, encoded))
            self._new_strings = []
        for kind in _ORDER:
            records = self._records[kind]
            if records:
                first = self._counts[kind] - len(records) if kind in _NUMBERED else 0
                self._write(kind, len(records), first, self._columns(kind, records))
                self._records[kind] = []
        self._file.flush()

    def close(self) -> None:
        if not self._file.closed:
            self.flush()
            self._write(_END, 1, 0, _column(1, [self._chunks]))
            self._file.close()

    def _text(self, text: Text) -> int:
        if text not in self._strings:
            self._strings[text] = len(self._strings) - 1  # "" is there twice
            self._new_strings.append(text)
        return self._strings[text]

    def _add(self, kind: int, *record: Any) -> int:
        self._records[kind].append(record)
        self._counts[kind] += 1
        if len(self._records[kind]) == _MOST_RECORDS:
            self.flush()
        return self._counts[kind] - 1

    def _add_once(self, kind: int, *record: Any, key: tuple[Any, ...] | None = None) -> int:
        known_as = kind, key or record
        if known_as not in self._known:
            self._known[known_as] = self._add(kind, *record)
        return self._known[known_as]

    def _track(self, name: Text, kind: Text, parent: int | None, sort: int, hertz: float, stream: Text = "") -> int:
        record = self._text(name), self._text(kind), _ref(parent)
        return self._add_once(_TRACKS, *record, sort, hertz, key=(*record, stream))

    def _value(self, value: Any) -> tuple[int, int, float]:
        """Its type, and the two numbers of which one tells it."""
        if hasattr(value, "__index__") and -(1 << 63) <= int(value) < 1 << 63:
            return _INTEGER, int(value), 0.0
        if hasattr(value, "__float__"):
            return _REAL, 0, float(value)
        return _TEXT, self._text(str(value)), 0.0

    def _argument(self, name: str, value: Any) -> tuple[int, int, float]:
        """The argument's number, and the two that tell its value."""
        has_unit = isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str)
        value, unit = value if has_unit else (value, "")
        kind, integer, real = self._value(value)
        return self._add_once(_ARGUMENTS, self._text(name), self._text(unit), kind), integer, real

    def _columns(self, kind: int, records: list[tuple[Any, ...]]) -> bytes:
        columns = list(zip(*records))
        if kind == _OPS:
            return self._op_columns(columns)
        if kind == _EVENTS:
            return self._event_columns(columns)
        return b"".join(_column(i + 1, column, (kind, i + 1) in _REALS) for i, column in enumerate(columns))

    def _op_columns(self, columns: list[tuple[Any, ...]]) -> bytes:
        first = self._counts[_OPS] - len(columns[0])
        distances = [first + i - s for i, sources in enumerate(columns[1]) for s in sources]
        out = _column(2, columns[0]) + _column(3, [len(sources) for sources in columns[1]])
        if distances:
            out += _column(4, distances)
        return out + b"".join(_column(i + 3, column) for i, column in enumerate(columns) if i >= 2)

    @staticmethod
    def _event_columns(columns: list[tuple[Any, ...]]) -> bytes:
        out = b"".join(_column(n, column) for n, column in zip((1, 2, 3, 4, 5, 11, 12, 13), columns))
        arguments = [argument for event in columns[-1] for argument in event]
        if arguments:
            numbers, integers, reals = zip(*arguments)
            out += _column(14, [len(event) for event in columns[-1]])
            out += _column(15, numbers) + _column(16, integers) + _column(17, reals, real=True)
        return out

    @staticmethod
    def _bytes(number: int, parts: list[bytes]) -> bytes:
        data = b"".join(parts)
        return struct.pack("<HBBI", number, 1, 0, len(data)) + _padded(data)

    def _write(self, kind: int, count: int, first: int, columns: bytes) -> None:
        stored = zlib.compress(columns, 6)
        codec = 2 if len(stored) < len(columns) else 0
        stored = stored if codec else columns
        rest = struct.pack("<HBBIQQQ", kind, codec, 0, count, first, len(stored), len(columns)) + stored
        self._file.write(_padded(b"vzCk" + struct.pack("<I", zlib.crc32(rest)) + rest))
        self._chunks += 1


def _example(path: str) -> None:
    """Rewrites (x * 8 + 0) * (2 + 3), and runs what is left of it."""
    with Capture(path) as w:
        const, load = w.kind("CONST", "#e0e0e0", inlined=True), w.kind("LOAD", "#ffe0a0")
        add, mul, shl = w.kind("ADD", "#c0f0c0"), w.kind("MUL", "#b0d0ff"), w.kind("SHL", "#d8c0ff")
        ops: dict[Any, int] = {}  # by expression: an int, "x", or (kind, left, right)

        def op(e: Any) -> int:
            if e not in ops:
                if isinstance(e, int):
                    ops[e] = w.op(const, dtype="int", argument=str(e))
                elif e == "x":
                    ops[e] = w.op(load, dtype="int", argument="x", shape="(16,)")
                else:
                    ops[e] = w.op(e[0], [op(e[1]), op(e[2])], dtype="int", shape="(16,)")
            return ops[e]

        def is_number(*parts: Any) -> bool:
            return all(isinstance(p, int) for p in parts)

        here = sys._getframe().f_code.co_firstlineno
        rules: list[tuple[str, Any]] = [
            ("fold two constants", lambda k, a, b: (a + b if k == add else a * b) if is_number(a, b) else None),
            ("x + 0 -> x", lambda k, a, b: a if k == add and b == 0 else None),
            ("x * 8 -> x << 3", lambda k, a, b: (shl, a, 3) if k == mul and b == 8 else None)]
        context = w.context("example")
        expression = (mul, (add, (mul, "x", 8), 0), (add, 2, 3))
        simplification = w.graph_pass(context, "simplify", op(expression), w.location(__file__, here, "simplify"))

        def simplify(e: Any) -> Any:
            if not isinstance(e, tuple):
                return e
            e = (e[0], simplify(e[1]), simplify(e[2]))
            for line, (name, rule) in enumerate(rules):
                better = rule(*e)
                if better is not None:
                    w.match(simplification, op(e), op(better), w.location(__file__, here + 22 + line, name))
                    return simplify(better)
            return e

        simplify(expression)
        w.program(context, "example", "out[i] = (x[i] << 3) * 5;", "PYTHON")
        w.link("example", context)
        w.clock("perf_counter", time.time_ns() - time.perf_counter_ns())
        w.fact("", "Python", sys.version.split()[0])
        thread = w.track("main", "thread", w.track("python", "process"))
        rate = w.counter(thread, "items", "1/s")
        for i in range(8):
            start = time.perf_counter_ns()
            total = sum((x << 3) * 5 for x in range(1000 * (i + 1)))
            end = max(start + 1, time.perf_counter_ns())
            w.event(thread, "example", start, end - start, category="loop",
                    arguments={"operations": (2000 * (i + 1), "FLOP"), "sum": total})
            w.run("iteration", f"iteration {i}", i, start, end)
            w.sample(rate, start, 1000.0 * (i + 1))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: capture.py OUT.bin")
    _example(sys.argv[1])
