"""An ETDump asked as ExecuTorch's Inspector is."""
import importlib.util, json, pathlib, subprocess, unittest

import vizd

CASES = pathlib.Path(__file__).resolve().parents[2] / "tests" / "golden" / "etdump"


class InspectorTest(unittest.TestCase):
    def setUp(self):
        self.inspector = vizd.Inspector(CASES / "two_methods" / "input")

    def test_blocks_and_their_events_are_those_of_the_program(self):
        told = [json.loads(line) for line in subprocess.run(
            [vizd.find_binary(), "summary", str(CASES / "two_methods" / "input"), "--json"],
            capture_output=True, text=True, check=True).stdout.splitlines()]
        events = [row for row in told if row["record"] == "event"]
        blocks = [row for row in told if row["record"] == "block"]
        self.assertEqual(["Default", "Execute", "Execute"], [block.name for block in self.inspector.event_blocks])
        for block, row in zip(self.inspector.event_blocks, blocks):
            own = [event for event in events if event["block_index"] == row["block_index"]]
            self.assertEqual([event["name"] for event in own], [event.name for event in block.events])
            self.assertEqual([event["raw"] for event in own], [event.perf_data.raw for event in block.events])
            self.assertEqual([event["op_types"] for event in own], [event.op_types for event in block.events])

    def test_columns_are_those_of_the_inspectors_data_frame(self):
        with_units = self.inspector.rows()
        self.assertEqual(sum(len(block.events) for block in self.inspector.event_blocks), len(with_units))
        self.assertEqual(
            ["event_block_name", "event_name", "raw", "p10 (ms)", "p50 (ms)", "p90 (ms)", "avg (ms)", "min (ms)",
             "max (ms)", "op_types", "delegate_debug_identifier", "stack_traces", "module_hierarchy",
             "is_delegated_op", "delegate_backend_name", "debug_data", "start_time"], list(with_units[0]))
        block = self.inspector.event_blocks[1]
        self.assertIn("p50", block.rows()[0])
        self.assertEqual(block.rows()[0]["p50"], block.events[0].perf_data.p50)

    def test_scales_files_and_metadata_are_the_inspectors_arguments(self):
        folder = CASES / "delegate_int" / "input"
        with self.assertWarns(vizd.VizdWarning):  # its delegate has a clock of its own
            inspector = vizd.Inspector(folder / "etdump.etdp", etrecord=folder / "etrecord.bin", source_time_scale="ns",
                                       target_time_scale="us", debug_buffer_path=folder / "debug_output.bin")
        block = inspector.event_blocks[-1]
        self.assertEqual(("ns", "us"), (block.source_time_scale, block.target_time_scale))
        delegated = [event for event in block.events if event.is_delegated_op]
        self.assertTrue(delegated)
        self.assertTrue(all(event.delegate_debug_identifier is not None for event in delegated))
        self.assertIn("avg (us)", inspector.rows()[0])
        self.assertIn("delegate_debug_metadata", inspector.rows(include_delegate_debug_data=True)[0])

    def test_what_is_no_dump_is_refused_in_the_programs_words(self):
        with self.assertRaisesRegex(vizd.VizdError, "no such file"):
            vizd.Inspector("nope.etdp")

    @unittest.skipUnless(importlib.util.find_spec("pandas"), "needs pandas")
    def test_data_frame(self):
        frame = self.inspector.to_dataframe()
        self.assertEqual(list(self.inspector.rows()[0]), list(frame.columns))
        self.assertEqual(len(self.inspector.rows()), len(frame))
        self.assertIn("avg", self.inspector.event_blocks[0].to_dataframe().columns)


if __name__ == "__main__":
    unittest.main()
