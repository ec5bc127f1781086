// The engines of a TPU's cores as rows of a table, from the records of its summary. Pure.

/** A record of /api/v1/summary of a TPU's profile: what concerns its whole, a core, or a port that cores share. */
export interface WireEngines {
  record: "total" | "core" | "port";
  [field: string]: unknown;
}

export interface EngineRow {
  /** "core 0", with its device where there are several. */
  core: string;
  engine: string;
  commands: number;
  /** How long it worked, and as a share of the device's time, which all rows of a device have in common. */
  busy_ns: number;
  busy: number;
  /** Share of TIU's work that ran beside a transfer of the same core; null for other engines. */
  beside: number | null;
  /** Between its commands: for messages of others, for the command that the next one names, or nobody knows why. */
  waited_message_ns: number;
  waited_command_ns: number;
  waited_other_ns: number;
  /** Null of engines that move nothing. */
  bytes: number | null;
  ddr_per_s: number | null;
  l2_per_s: number | null;
}

const kEngines = ["tiu", "gdma", "sdma", "cdma"] as const;

/** Records come by device: its total, then its cores and ports. What did nothing has no row. */
export function listEngines(records: readonly WireEngines[]): EngineRow[] {
  const rows: EngineRow[] = [];
  const devices = records.filter(({ record }) => record === "total").length;
  let total: WireEngines | null = null;
  for (const record of records) {
    if (record.record === "total") total = record;
    else if (total !== null) rows.push(...rowsOf(record, total, devices > 1));
  }
  return rows;
}

function rowsOf(record: WireEngines, total: WireEngines, hasDevices: boolean): EngineRow[] {
  const number = (field: string) => (typeof record[field] === "number" ? (record[field] as number) : 0);
  const known = (field: string) => (typeof record[field] === "number" ? (record[field] as number) : null);
  const hertz = Number(total["clock_hz"]);
  const whole = Number(total["total_cycles"]);
  const ns = (cycles: number) => (hertz > 0 ? (cycles * 1e9) / hertz : 0);
  const name = record.record === "core" ? `core ${known("number") ?? number("core")}` : `port ${number("port")}`;
  const core = hasDevices ? `${String(total["device"])} ${name}` : name;
  return kEngines
    .filter((engine) => number(`${engine}_records`) > 0)
    .map((engine) => {
      const busy = number(`${engine}_busy_cycles`);
      return {
        core,
        engine: engine.toUpperCase(),
        commands: number(`${engine}_working_records`),
        busy_ns: ns(busy),
        busy: whole > 0 ? busy / whole : 0,
        beside: engine === "tiu" && busy > 0 ? number("overlap_cycles") / busy : null,
        waited_message_ns: ns(number(`${engine}_gap_message_cycles`)),
        waited_command_ns: ns(number(`${engine}_gap_command_cycles`)),
        waited_other_ns: ns(number(`${engine}_gap_other_cycles`)),
        bytes: engine === "tiu" ? null : known(`${engine}_bytes`),
        ddr_per_s: known(`${engine}_ddr_bytes_per_s`),
        l2_per_s: known(`${engine}_l2_bytes_per_s`),
      };
    });
}
