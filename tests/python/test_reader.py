"""Captures asked from Python: rows, frames, options, and what vizd says of those that are wrong."""
import importlib.util, os, pathlib, tempfile, unittest

import vizd

TOP = pathlib.Path(__file__).resolve().parents[2]
RAMP = TOP / "tests" / "data" / "tinygrad-2025-09"
EXAMPLE = TOP / "tests" / "golden" / "native" / "written_by_python" / "input" / "python.bin"


def has(*modules):
    return all(importlib.util.find_spec(module) for module in modules)


class ReaderTest(unittest.TestCase):
    def setUp(self):
        self.reader = vizd.open(EXAMPLE)

    def test_rows_of_sql(self):
        rows = self.reader.sql("SELECT name, count(*) AS n, NULL AS empty, 0.5 AS half FROM slice GROUP BY name")
        self.assertEqual([{"name": "example", "n": 8, "empty": None, "half": 0.5}], list(rows))
        self.assertEqual(list(rows), list(rows))  # asked again

    def test_every_table_can_be_gone_through(self):
        names = self.reader.tables()
        self.assertIn("slice", names)
        self.assertIn("match", names)
        for name in names:
            with self.subTest(name):
                rows = iter(self.reader.table(name))
                try:
                    self.assertTrue(next(rows, {"none": True}))
                except vizd.VizdError as error:  # a table of a store, or one that asks for an argument
                    self.assertRegex(str(error), "argument|no such table", name)

    def test_rows_come_while_they_are_made_and_end_with_whoever_asks(self):
        numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        rows = iter(self.reader.sql(numbers, time=600))
        self.assertEqual([1, 2, 3], [next(rows)["i"] for _ in range(3)])
        rows.close()  # ends the program, which would go on for ever

    def test_limit(self):
        self.assertEqual(2, len(self.reader.sql("SELECT * FROM slice", limit=2).rows()))

    def test_commands_with_their_options(self):
        ramp = vizd.open(RAMP / "ramp.rewrites.pkl", RAMP / "ramp.profile.pkl")
        same = vizd.open(kernels=RAMP / "ramp.rewrites.pkl", profile=RAMP / "ramp.profile.pkl")
        self.assertEqual(ramp.counts, same.counts)
        by_name = ramp.kernels().rows()
        self.assertTrue(by_name)
        self.assertEqual(by_name[:1], ramp.kernels(limit=1).rows())
        by_device = ramp.kernels(group="device").rows()
        self.assertEqual(sum(row["launches"] for row in by_name), sum(row["launches"] for row in by_device))
        self.assertEqual(ramp.counts["passes"], sum(1 for row in ramp.ask("show") if "pass" in row))
        self.assertTrue(ramp.breakdown().rows())

    def test_what_is_wrong_is_told_in_the_programs_words(self):
        with self.assertRaisesRegex(vizd.VizdError, "nope.bin: no such file"):
            vizd.open("nope.bin")
        with self.assertRaisesRegex(vizd.VizdError, "no such table: nope") as refused:
            list(self.reader.table("nope"))
        self.assertEqual(1, refused.exception.exit_code)
        with self.assertRaises(vizd.VizdError) as refused:
            list(self.reader.ask("kernels", no_such_option=1))
        self.assertEqual(2, refused.exception.exit_code)
        with self.assertRaises(vizd.VizdError):
            vizd.open()

    def test_a_path_that_begins_with_a_dash_is_no_option(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "--json").write_bytes(EXAMPLE.read_bytes())
            before = os.getcwd()
            os.chdir(folder)
            self.addCleanup(os.chdir, before)
            self.assertEqual(8, vizd.open("--json").counts["events"])
            os.chdir(before)

    @unittest.skipUnless(has("pyarrow"), "needs pyarrow")
    def test_arrow(self):
        table = self.reader.sql("SELECT id, name, dur FROM slice").to_arrow()
        self.assertEqual(["id", "name", "dur"], table.column_names)
        self.assertEqual(self.reader.sql("SELECT id, name, dur FROM slice").rows(), table.to_pylist())
        self.assertEqual("simplify", self.reader.summary().to_arrow()["pass"][0].as_py())

    @unittest.skipUnless(has("pandas"), "needs pandas")
    def test_pandas(self):
        frame = self.reader.table("slice").to_pandas()
        self.assertEqual(self.reader.sql("SELECT sum(dur) AS s FROM slice").rows()[0]["s"], frame["dur"].sum())
        self.assertEqual(["simplify"], list(self.reader.summary().to_pandas()["pass"].dropna()))

    @unittest.skipUnless(has("polars"), "needs polars")
    def test_polars(self):
        frame = self.reader.table("slice").to_polars()
        self.assertEqual(self.reader.sql("SELECT sum(dur) AS s FROM slice").rows()[0]["s"], frame["dur"].sum())
        self.assertEqual(["simplify"], self.reader.summary().to_polars()["pass"].drop_nulls().to_list())


if __name__ == "__main__":
    unittest.main()
