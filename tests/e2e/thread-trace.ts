// A profile.pkl as tinygrad records it on a GPU of AMD's under VIZ=2, made here: two runs of a kernel with a loop, their
// thread traces of two waves each and their counters, a kernel with other counters, and one of which a GPU of NVIDIA's took samples.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Capture } from "./harness";

type Opcodes = Buffer;
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const u64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
const all = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part)));

const text = (value: string): Opcodes => all("X", u32(Buffer.byteLength(value)), Buffer.from(value));
const integer = (value: number): Opcodes => all("J", u32(value));
const bytes = (value: Buffer): Opcodes => all("B", u32(value.length), value);
const list = (items: readonly Opcodes[]): Opcodes => all("](", ...items, "e");
const decimal = (value: string): Opcodes => all(text("decimal"), text("Decimal"), "\x93(", text(value), "tR");
const object = (module: string, name: string, fields: Record<string, Opcodes>): Opcodes =>
  all(
    ...[text(module), text(name), "\x93)\x81}("],
    ...Object.entries(fields).flatMap(([field, value]) => [text(field), value]),
    "ub",
  );

/** An ELF file with a section .text at 0x100 and nothing else. */
function elf(code: Buffer): Buffer {
  const names = Buffer.from("\0.text\0.strtab\0", "latin1");
  const header = Buffer.alloc(64);
  header.write("\x7fELF\x02", "latin1");
  const section = (name: number, address: number, at: number, size: number) =>
    all(u32(name), u32(1), Buffer.alloc(8), u64(address), u64(at), u64(size), Buffer.alloc(24));
  const namesAt = header.length + code.length;
  header.writeBigUInt64LE(BigInt(namesAt + names.length), 40);
  header.writeUInt16LE(2, 60);
  header.writeUInt16LE(1, 62);
  return all(
    ...[header, code, names],
    section(1, 0x100, header.length, code.length),
    section(7, 0, namesAt, names.length),
  );
}

/** s_load_b64, s_waitcnt(0), v_mov_b32, s_barrier, s_cbranch_scc0 to v_mov_b32, s_endpgm */
const kCode = Buffer.from("000004f4000000f8" + "070489bf" + "0203027e" + "0000bdbf" + "fdffa1bf" + "0000b0bf", "hex");

/** Packets of RDNA 3 as nibbles, the lowest first. */
class Packets {
  private readonly nibbles: number[] = [];
  add(bits: number, count: number): this {
    for (let i = 0; i < count; i++) this.nibbles.push(Math.floor(bits / 16 ** i) % 16);
    return this;
  }
  wait(cycles: number): this {
    for (let left = cycles; left > 0; left -= 19) if (left >= 4) this.add(0b1000 | ((Math.min(left, 19) - 4) << 4), 2);
    return this;
  }
  waitLong = (cycles: number) => this.add(0b1 + cycles * 2 ** 12, 12);
  /** The real-time clock, which ticks every 10 ns. */
  clock = (ticks: number) => this.add(0b1 + 2 ** 9 + ticks * 2 ** 12, 12);
  start = (wave: number) => this.add(0b01100 | (1 << 5) | (wave << 13), 8);
  end = (wave: number) => this.add(0b10101 | (1 << 5) | (wave << 15), 5);
  valu = (wave: number) => this.add(0b011 | (1 << 3) | (wave << 7), 3);
  inst = (wave: number, operation: number) => this.add(0b010 | (1 << 4) | (wave << 8) | (operation << 13), 5);
  immediate = (wave: number) => this.add(0b1101 | (1 << 4) | (wave << 7), 3);
  bytes(): Buffer {
    const nibbles = [...this.nibbles, ...Array<number>(64 - (this.nibbles.length % 64) + 64).fill(0)];
    return Buffer.from(nibbles.flatMap((low, i) => (i % 2 === 0 ? [low | (nibbles[i + 1]! << 4)] : [])));
  }
}

/** A wave that waits so long for its load and goes round the loop three times. */
function addWave(packets: Packets, wave: number, waited: number): void {
  packets.start(wave).inst(wave, 1).wait(waited).immediate(wave);
  for (let round = 0; round < 3; round++) {
    packets.valu(wave).wait(5).inst(wave, 0x13).wait(10);
    packets.inst(wave, round < 2 ? 3 : 4);
  }
  packets.end(wave);
}

/** Long before its waves and after them. from, to: when it was recorded, in ticks of the clock. */
function trace(waited: number, from: number, to: number): Buffer {
  const packets = new Packets()
    .add(0x11 | (3 << 7), 16)
    .clock(from)
    .waitLong(20_000);
  addWave(packets, 1, waited);
  addWave(packets, 2, 38);
  return packets.waitLong(20_000).clock(to).bytes();
}

const counters = (program: number, run: number, samples: Record<string, number[]>): Opcodes =>
  object("tinygrad.runtime.ops_amd", "ProfilePMCEvent", {
    device: text("AMD"),
    kern: integer(program),
    sched: list(
      Object.entries(samples).map(([name, values]) =>
        object("tinygrad.runtime.ops_amd", "PMCSample", {
          name: text(name),
          ...Object.fromEntries(["xcc", "inst", "se", "sa"].map((key) => [key, integer(1)])),
          wgp: integer(values.length),
        }),
      ),
    ),
    blob: bytes(all(...Object.values(samples).flat().map(u64))),
    exec_tag: integer(run),
  });

const threadTrace = (program: number, run: number, packets: Buffer): Opcodes =>
  object("tinygrad.runtime.ops_amd", "ProfileSQTTEvent", {
    device: text("AMD"),
    kern: integer(program),
    se: integer(0),
    blob: bytes(packets),
    itrace: all("\x88"),
    exec_tag: integer(run),
  });

const ran = (name: string, from: string, to: string): Opcodes =>
  object("tinygrad.helpers", "ProfileRangeEvent", {
    device: text("AMD"),
    name: text(name),
    st: decimal(from),
    en: decimal(to),
    profile_key: bytes(Buffer.from(name)),
  });

/** Each a packet with one sample of 8 bytes: where a warp was, and the number of what it waited for. */
const samples = (kernel: string, at: readonly (readonly [address: number, stall: number])[]): Opcodes =>
  object("tinygrad.runtime.ops_nv", "ProfilePMAEvent", {
    device: text("NV"),
    kern: text(kernel),
    blob: bytes(
      all(
        ...at.map(([address, stall]) => {
          const packet = Buffer.alloc(32);
          const sample = u64(address / 16 + stall * 2 ** 45);
          sample.copy(packet, 0, 0, 4);
          packet[4] = sample.length;
          sample.copy(packet, 8, 4);
          return packet;
        }),
      ),
    ),
    exec_tag: integer(9),
    profile_key: bytes(Buffer.from(kernel)),
  });

const kLoadedAt = 0x4000;

const program = (number: number, name: string): Opcodes =>
  object("tinygrad.device", "ProfileProgramEvent", {
    device: text("AMD"),
    name: text(name),
    lib: bytes(elf(name === "other" ? kCode.subarray(12) : kCode)),
    base: name === "sampled" ? integer(kLoadedAt) : all("N"),
    tag: integer(number),
    profile_key: bytes(Buffer.from(name)),
  });

const kEvents = [
  object("tinygrad.device", "ProfileDeviceEvent", {
    device: text("AMD"),
    tdiff: decimal("0"),
    props: all("}(", text("gfx_target_version"), integer(110_000), text("max_waves_per_simd"), integer(16), "u"),
  }),
  program(1, "looping"),
  program(2, "other"),
  program(3, "sampled"),
  ran("looping", "10", "12.5"),
  ran("looping", "20", "21"),
  ran("other", "30", "31"),
  counters(1, 1, { SQ_WAVES: [3, 1], GL2C_HIT: [30], GL2C_MISS: [10] }),
  counters(1, 2, { SQ_WAVES: [2, 2], GL2C_HIT: [40], GL2C_MISS: [0] }),
  counters(2, 3, { SQ_WAVES: [1, 0] }),
  threadTrace(1, 1, trace(190, 1000, 1250)),
  threadTrace(1, 2, trace(95, 2000, 2100)),
  samples("sampled", [
    ...Array<readonly [number, number]>(5).fill([kLoadedAt + 0x100, 9]),
    [kLoadedAt + 0x100, 18],
    [kLoadedAt + 0x110, 3],
    [kLoadedAt + 0x110, 3],
    [0x90, 12],
  ]),
];

/** The arguments of a vizd that shows it. */
export async function recordThreadTraces({ folder }: Capture): Promise<string[]> {
  const path = join(folder, "looping.profile.pkl");
  await writeFile(path, all("\x80\x04", list(kEvents), "."));
  return ["--profile", path];
}
