"""vizd.record(): what a profiler recorded is kept as one file, and shown; what fails goes on."""
import gzip, json, pathlib, subprocess, sys, tempfile, unittest

import vizd
from served import events_of, wait_for
from vizd import shown


class Profiler:
    """As PyTorch's: it writes a Chrome trace, packed if the name says so."""

    def __init__(self, names):
        self.names, self.left_with = names, "not yet"

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.left_with = kind

    def export_chrome_trace(self, path):
        events = [{"ph": "X", "name": name, "pid": 1, "tid": 1, "ts": 10 * i, "dur": 5, "cat": "cpu_op"}
                  for i, name in enumerate(self.names)]
        with (gzip.open if path.endswith(".gz") else open)(path, "wt") as file:
            json.dump({"schemaVersion": 1, "traceEvents": events}, file)


class ScheduledProfiler(Profiler):
    """As PyTorch's with a schedule: it tells when it has recorded a stretch, and forgets it with the next."""

    on_trace_ready = None

    def step(self, names):
        self.names = names
        self.on_trace_ready(self)
        self.names = []


class RecordingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "run.bin"

    def names(self):
        return sorted(row["name"] for row in vizd.open(self.path).table("slice"))

    def test_what_was_recorded_is_kept(self):
        profiler = Profiler(["matmul", "relu"])
        with vizd.record(profiler, self.path, show=False) as given:
            self.assertIs(profiler, given)
        self.assertEqual(["matmul", "relu"], self.names())
        self.assertEqual([self.path], list(self.path.parent.iterdir()))

    def test_an_open_page_reads_what_is_recorded_next(self):
        with vizd.record(Profiler(["matmul", "relu"]), self.path, show=False):
            pass
        page = vizd.show(self.path)
        self.addCleanup(page.close)
        url, token = page.url.split("#token=")
        wait_for(lambda: events_of(url, token) == [2], "the first is open")
        with vizd.record(Profiler(["matmul"]), self.path, show=False):
            pass
        wait_for(lambda: events_of(url, token) == [1], "the second is open")

    def test_it_is_shown(self):
        drawn = []
        draw, shown.display = shown.display, drawn.append
        try:
            with vizd.record(Profiler(["matmul"]), self.path):
                pass
        finally:
            shown.display = draw
        self.addCleanup(drawn[0].close)
        self.assertIn("run.bin", repr(drawn[0]))

    def test_of_a_schedule_the_last_stretch_is_kept(self):
        profiler = ScheduledProfiler([])
        with vizd.record(profiler, self.path, show=False):
            profiler.step(["first"])
            profiler.step(["matmul", "relu"])
        self.assertEqual(["matmul", "relu"], self.names())
        self.assertIsNone(profiler.on_trace_ready)

    def test_what_fails_goes_on_and_what_was_recorded_is_kept(self):
        profiler = Profiler(["matmul"])
        with self.assertRaises(ZeroDivisionError):
            with vizd.record(profiler, self.path, show=False):
                1 / 0
        self.assertIs(ZeroDivisionError, profiler.left_with)
        self.assertEqual(["matmul"], self.names())

    def test_what_is_no_profiler_is_refused(self):
        with self.assertRaisesRegex(vizd.VizdError, "object has no export_chrome_trace"):
            vizd.record(object())

    def test_a_tinygrad_that_records_nothing_is_told(self):
        program = ("import sys, types, vizd\n"
                   "sys.modules['tinygrad'] = types.ModuleType('tinygrad')\n"
                   "sys.modules['tinygrad.helpers'] = types.ModuleType('tinygrad.helpers')\n"
                   "with vizd.record('tinygrad'): pass\n")
        done = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True)
        self.assertIn("tinygrad was imported without VIZ=-1", done.stderr)


if __name__ == "__main__":
    unittest.main()
