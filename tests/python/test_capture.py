"""The writer of captures, read back by the program; and the file alone, without the package."""
import os, pathlib, shutil, subprocess, sys, tempfile, unittest

import vizd


class CaptureTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "run.bin"

    def test_what_was_recorded_is_there(self):
        with vizd.Capture(self.path) as c:
            leaf = c.op(c.kind("LEAF"), dtype="int")
            twice = c.op(c.kind("ADD"), [leaf, leaf])
            simplify = c.graph_pass(c.context("kernel"), "simplify", twice, c.location("passes.py", 1))
            c.match(simplify, twice, leaf, c.location("rules.py", 7, "x + x"))
            lane = c.track("main", "thread")
            c.event(lane, "work", 100, 50, arguments={"bytes": (4096, "B"), "ratio": 0.5, "shape": "[2]"})
        reader = vizd.open(self.path)
        self.assertEqual({**reader.counts, **{"matches": 1, "events": 1, "skipped": {}}}, reader.counts)
        self.assertEqual([("work", 50)], [(row["name"], row["dur"]) for row in reader.table("slice")])
        arguments = {row["key"]: row["display_value"] for row in reader.table("args")}
        self.assertEqual({"debug.bytes": "4096", "debug.ratio": "0.5", "debug.shape": "[2]"}, arguments)
        self.assertIn({"pass": "simplify", "passes": 1, "matches": 1}, reader.summary().rows())

    def test_a_capture_whose_writer_was_killed_says_so(self):
        capture = vizd.Capture(self.path)
        capture.event(capture.track("main", "thread"), "work", 0, 1)
        capture.flush()
        with self.assertWarnsRegex(vizd.VizdWarning, "without an end"):
            self.assertEqual(1, vizd.open(self.path).counts["events"])
        capture.close()
        self.assertEqual(1, vizd.open(self.path).counts["events"])

    def test_the_file_alone_records_its_example(self):
        alone = self.path.parent / "capture.py"
        shutil.copy(pathlib.Path(vizd.__file__).parent / "capture.py", alone)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run([sys.executable, "-B", "-I", alone, self.path], check=True, env=environment)
        reader = vizd.open(self.path)
        self.assertEqual((3, 8), (reader.counts["matches"], reader.counts["events"]))
        # Each rule is said to stand where it does stand.
        lines = alone.read_text().splitlines()
        rules = list(reader.sql("SELECT line, code FROM rule"))
        self.assertEqual(3, len(rules))
        for rule in rules:
            self.assertIn(rule["code"], lines[rule["line"] - 1])


if __name__ == "__main__":
    unittest.main()
