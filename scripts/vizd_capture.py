"""Records what a compiler does, and what devices do, into a capture that vizd opens. Pure Python, no dependencies.

    from vizd_capture import CaptureWriter
    with CaptureWriter("run.bin") as w:
        add = w.kind("ADD", "#c0f0c0")
        ...

`python3 vizd_capture.py OUT.bin` records an example: a small rewriter of arithmetic. The format is described in
include/vizd/FORMAT.md. Not thread-safe; flush() makes what was recorded readable, and happens by itself now and then.
"""
import array, struct, sys, time, zlib

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


def _padded(data):
    return data + bytes(-len(data) % 8)


def _column(number, numbers, real=False):
    if real:
        kind, packed = 10, array.array("d", numbers)
    else:
        least, most = min(numbers), max(numbers)
        kind, code = next((k, c) for k, c, low, high in _INTEGERS if low <= least and most < high)
        packed = array.array(code, numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return struct.pack("<HBBI", number, kind, 0, len(packed)) + _padded(packed.tobytes())


def _ref(number):
    return 0 if number is None else number + 1


class CaptureWriter:
    """Ids that it returns are plain integers. Every name may hold any text; times are nanoseconds on one clock."""

    def __init__(self, path, append=False):
        self._file = open(path, "ab" if append else "wb")
        self._file.write(_MAGIC + struct.pack("<II", 2, 1))  # 1: ends with a chunk that says so
        self._chunks = 0
        self._strings = {"": 0, b"": 0}
        self._new_strings = []
        self._records = {kind: [] for kind in _ORDER}
        self._counts = dict.fromkeys(_ORDER, 0)
        self._known = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # What the compiler does.

    def kind(self, name, colour="", inlined=False):
        """A kind of op, with the colour of its boxes (#rrggbb); inlined: lines in their users' boxes."""
        return self._add_once(_KINDS, self._text(name), self._text(colour), int(inlined))

    def location(self, file, line, code=""):
        """A place in the compiler's source: of a rule or a pass. code: the line itself."""
        return self._add_once(_LOCATIONS, self._text(file), line, self._text(code) + 1 if code else 0)

    def op(self, kind, sources=(), *, dtype="", argument="", tag="", shape="", label="", text="", identity=0,
           context=None, inlined=False):
        texts = [self._text(t) for t in (dtype, argument, tag, shape, label, text)]
        return self._add(_OPS, kind, tuple(sources), *texts, identity, _ref(context), int(inlined))

    def context(self, name, stack=None):
        """stack: where in the user's program it was asked for."""
        return self._add(_CONTEXTS, self._text(name), _ref(stack))

    def link(self, name, context):
        """That the name (of a kernel, of an event) leads to the context."""
        self._add(_LINKS, context, 0, self._text(name))

    def graph_pass(self, context, name, graph, location, depth=0, whole_graphs=False):
        """A pass over the graph under an op. whole_graphs: told with graph() instead of match()."""
        return self._add(_PASSES, context, self._text(name), location, graph, depth, 4 if whole_graphs else 0)

    def match(self, graph_pass, before, after, rule, seconds=-1.0):
        self._add(_MATCHES, graph_pass, before, after, rule, seconds)

    def graph(self, graph_pass, root, location, seconds=-1.0):
        self._add(_MATCHES, graph_pass, 0, root, location, seconds)

    def program(self, context, name, source, device, binary=b""):
        """context: None where none made it. binary: the bytes that the device runs, an object file or bare code."""
        self._add(_PROGRAMS, context or 0, self._text(name), self._text(source), self._text(device), 0,
                  self._text(binary), int(context is None))

    def measure(self, name, unit=""):
        """A number on ops, to colour graphs by: how long each took."""
        return self._add_once(_MEASURES, self._text(name), self._text(unit))

    def op_value(self, measure, op, value):
        """At most one a measure and op."""
        self._add(_OP_VALUES, measure, op, value)

    # What devices do.

    def clock(self, name, unix_offset_ns=None):
        """Once: what times count from. Captures whose clocks have one name share it. unix_offset_ns: Unix time when
        the clock was zero."""
        self._add(_FACTS, self._text("clock"), self._text(name), 0)
        if unix_offset_ns is not None:
            self._add(_FACTS, self._text("unix_offset_ns"), 0, unix_offset_ns)

    def track(self, name, kind="", parent=None, sort=0, hertz=0):
        """A node of the tree on which all that devices do hangs. kind: rank, host, process, thread, device, engine,
        stream, memory, counter, or nothing. The same for the same name and kind under the same parent."""
        return self._track(name, kind, parent, sort, hertz)

    def lane(self, name, rank="", process="", device="", stream="", hertz=0):
        """A track under those of its rank, process and device. hertz: of the clock that timed it."""
        parent, kind = None, "stream" if stream else ""
        for group_kind, group in (("rank", rank), ("process", process), ("device", device)):
            if group and group == name and not kind:
                kind = group_kind
                break
            if group:
                parent = self.track(group, group_kind, parent)
        return self._track(name, kind, parent, 0, hertz, stream)

    def event(self, track, name, start_ns, dur_ns, info="", context=None, *, kind="span", category="", error=False,
              arguments=None):
        """kind: span, instant, unfinished or asynchronous. error: what it did failed. arguments: by name an integer,
        a real number or a text, or a pair of one and its unit ("B", "FLOP", "ns", ...). info: an argument of that
        name."""
        given = dict(arguments or {})
        if info:
            given["info"] = info
        self._add(_EVENTS, track, start_ns, dur_ns, self._text(name), _ref(context), _EVENT_KINDS[kind],
                  self._text(category), int(error), tuple(self._argument(*item) for item in given.items()))

    def instant(self, track, name, at_ns, **about):
        """An event that takes no time; about: as of event()."""
        self.event(track, name, at_ns, 0, kind="instant", **about)

    def run(self, kind, name, number, from_ns, to_ns, track=None):
        """A part of the time: a "step", a "call". track: whose it is; None: everybody's."""
        self._add(_RUNS, _ref(track), self._text(kind), self._text(name), number, from_ns, to_ns)

    def fact(self, subject, name, value, unit=""):
        """What the capture should say of a device, or with subject "" of itself."""
        kind, integer, real = self._value(value)
        self._add(_CAPTURE_FACTS, self._text(subject), self._text(name), self._text(unit), kind, integer, real)

    def stack(self, function, file="", line=0, caller=None):
        """A call stack: its innermost frame, and the stack that called it."""
        return self._add_once(_STACKS, self._text(function), self._text(file), line, _ref(caller))

    def stack_sample(self, track, at_ns, stack, weight=1.0):
        """That a track stood there at a time. weight: what the sample stands for, in samples."""
        self._add(_STACK_SAMPLES, track, at_ns, stack, weight)

    def counter(self, track, name, unit=""):
        return self._add_once(_COUNTERS, self._text(name), self._text(unit), track)

    def sample(self, counter, at_ns, value):
        self._add(_SAMPLES, counter, at_ns, value)

    def allocation(self, track, key, at_ns, size_bytes, what="", category="", address=None, context=None):
        """A buffer in the track's memory; its key may be used again after free(). what: the type of its items."""
        self._add(_ALLOCATIONS, track, key, at_ns, size_bytes, 1, self._text(what), 0, 0, 0,
                  0 if address is None else 2, self._text(category), _ref(context), address or 0)

    def free(self, track, key, at_ns):
        self._add(_FREES, track, key, at_ns)

    def marker(self, name, at_ns, colour=""):
        self._add(_MARKERS, at_ns, self._text(name), self._text(colour))

    def flow(self, from_track, from_ns, to_track, to_ns):
        """That what happens on the one track at a time led to what happens on the other at another."""
        self._add(_FLOWS, from_track, from_ns, to_track, to_ns)

    # The file.

    def flush(self):
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

    def close(self):
        if not self._file.closed:
            self.flush()
            self._write(_END, 1, 0, _column(1, [self._chunks]))
            self._file.close()

    def _text(self, text):
        if text not in self._strings:
            self._strings[text] = len(self._strings) - 1  # "" is there twice
            self._new_strings.append(text)
        return self._strings[text]

    def _add(self, kind, *record):
        self._records[kind].append(record)
        self._counts[kind] += 1
        if len(self._records[kind]) == _MOST_RECORDS:
            self.flush()
        return self._counts[kind] - 1

    def _add_once(self, kind, *record, key=None):
        key = kind, key or record
        if key not in self._known:
            self._known[key] = self._add(kind, *record)
        return self._known[key]

    def _track(self, name, kind, parent, sort, hertz, stream=""):
        record = self._text(name), self._text(kind), _ref(parent)
        return self._add_once(_TRACKS, *record, sort, hertz, key=(*record, stream))

    def _value(self, value):
        """Its type, and the two numbers of which one tells it."""
        if hasattr(value, "__index__") and -(1 << 63) <= int(value) < 1 << 63:
            return _INTEGER, int(value), 0.0
        if hasattr(value, "__float__"):
            return _REAL, 0, float(value)
        return _TEXT, self._text(str(value)), 0.0

    def _argument(self, name, value):
        """The argument's number, and the two that tell its value."""
        has_unit = isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], str)
        value, unit = value if has_unit else (value, "")
        kind, integer, real = self._value(value)
        return self._add_once(_ARGUMENTS, self._text(name), self._text(unit), kind), integer, real

    def _columns(self, kind, records):
        columns = list(zip(*records))
        if kind == _OPS:
            return self._op_columns(columns)
        if kind == _EVENTS:
            return self._event_columns(columns)
        return b"".join(_column(i + 1, column, (kind, i + 1) in _REALS) for i, column in enumerate(columns))

    def _op_columns(self, columns):
        first = self._counts[_OPS] - len(columns[0])
        distances = [first + i - s for i, sources in enumerate(columns[1]) for s in sources]
        out = _column(2, columns[0]) + _column(3, [len(sources) for sources in columns[1]])
        if distances:
            out += _column(4, distances)
        return out + b"".join(_column(i + 3, column) for i, column in enumerate(columns) if i >= 2)

    @staticmethod
    def _event_columns(columns):
        out = b"".join(_column(n, column) for n, column in zip((1, 2, 3, 4, 5, 11, 12, 13), columns))
        arguments = [argument for event in columns[-1] for argument in event]
        if arguments:
            numbers, integers, reals = zip(*arguments)
            out += _column(14, [len(event) for event in columns[-1]])
            out += _column(15, numbers) + _column(16, integers) + _column(17, reals, real=True)
        return out

    @staticmethod
    def _bytes(number, parts):
        data = b"".join(parts)
        return struct.pack("<HBBI", number, 1, 0, len(data)) + _padded(data)

    def _write(self, kind, count, first, columns):
        stored = zlib.compress(columns, 6)
        codec = 2 if len(stored) < len(columns) else 0
        stored = stored if codec else columns
        rest = struct.pack("<HBBIQQQ", kind, codec, 0, count, first, len(stored), len(columns)) + stored
        self._file.write(_padded(b"vzCk" + struct.pack("<I", zlib.crc32(rest)) + rest))
        self._chunks += 1


def _example(path):
    """Rewrites (x * 8 + 0) * (2 + 3), and runs what is left of it."""
    with CaptureWriter(path) as w:
        const, load = w.kind("CONST", "#e0e0e0", inlined=True), w.kind("LOAD", "#ffe0a0")
        add, mul, shl = w.kind("ADD", "#c0f0c0"), w.kind("MUL", "#b0d0ff"), w.kind("SHL", "#d8c0ff")
        ops = {}  # by expression: an int, "x", or (kind, left, right)

        def op(e):
            if e not in ops:
                if isinstance(e, int):
                    ops[e] = w.op(const, dtype="int", argument=str(e))
                elif e == "x":
                    ops[e] = w.op(load, dtype="int", argument="x", shape="(16,)")
                else:
                    ops[e] = w.op(e[0], [op(e[1]), op(e[2])], dtype="int", shape="(16,)")
            return ops[e]

        def is_number(*parts):
            return all(isinstance(p, int) for p in parts)

        here = sys._getframe().f_code.co_firstlineno
        rules = [("fold two constants", lambda k, a, b: (a + b if k == add else a * b) if is_number(a, b) else None),
                 ("x + 0 -> x", lambda k, a, b: a if k == add and b == 0 else None),
                 ("x * 8 -> x << 3", lambda k, a, b: (shl, a, 3) if k == mul and b == 8 else None)]
        context = w.context("example")
        expression = (mul, (add, (mul, "x", 8), 0), (add, 2, 3))
        simplification = w.graph_pass(context, "simplify", op(expression), w.location(__file__, here, "simplify"))

        def simplify(e):
            if not isinstance(e, tuple):
                return e
            e = (e[0], simplify(e[1]), simplify(e[2]))
            for line, (name, rule) in enumerate(rules):
                better = rule(*e)
                if better is not None:
                    w.match(simplification, op(e), op(better), w.location(__file__, here + 20 + line, name))
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
        sys.exit("usage: vizd_capture.py OUT.bin")
    _example(sys.argv[1])
