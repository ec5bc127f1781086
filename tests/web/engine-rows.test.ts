// Engines of a TPU as rows, from the records of its summary.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listEngines, type WireEngines } from "../../web/src/views/overview/engine-rows";

const total = (device: string): WireEngines => ({ record: "total", device, clock_hz: 5e8, total_cycles: 1000 });
const core = (index: number, more: object): WireEngines => ({ record: "core", core: index, ...more });

test("cycles become times by the device's clock, shares are of its whole time", () => {
  const [tiu, gdma] = listEngines([
    total("a"),
    core(0, {
      tiu_records: 5,
      tiu_working_records: 3,
      tiu_busy_cycles: 400,
      tiu_gap_message_cycles: 10,
      tiu_gap_command_cycles: 20,
      tiu_gap_other_cycles: 30,
      gdma_records: 2,
      gdma_working_records: 2,
      gdma_busy_cycles: 250,
      gdma_bytes: 4096,
      gdma_ddr_bytes_per_s: 3e9,
      gdma_l2_bytes_per_s: null,
      sdma_records: 0,
      overlap_cycles: 100,
    }),
  ]);
  assert.deepEqual(tiu, {
    core: "core 0",
    engine: "TIU",
    commands: 3,
    busy_ns: 800,
    busy: 0.4,
    beside: 0.25,
    waited_message_ns: 20,
    waited_command_ns: 40,
    waited_other_ns: 60,
    bytes: null,
    ddr_per_s: null,
    l2_per_s: null,
  });
  assert.equal(gdma!.engine, "GDMA");
  assert.equal(gdma!.beside, null);
  assert.equal(gdma!.bytes, 4096);
  assert.equal(gdma!.ddr_per_s, 3e9);
  assert.equal(gdma!.l2_per_s, null);
});

test("of several devices each row says which, and an engine that did nothing has none", () => {
  const rows = listEngines([
    total("dev0"),
    core(0, { number: 3, tiu_records: 1, tiu_busy_cycles: 0 }),
    total("dev1"),
    core(0, {}),
    { record: "port", port: 2, cdma_records: 4, cdma_busy_cycles: 10 },
  ]);
  assert.deepEqual(
    rows.map(({ core, engine }) => `${core} ${engine}`),
    ["dev0 core 3 TIU", "dev1 port 2 CDMA"],
  );
  assert.equal(rows[0]!.beside, null, "of no time there is no share");
});
