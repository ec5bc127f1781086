// A program's machine code as the server sends it (server/http/API.md), and what the page reads out of it.
import type { WireExecutions } from "../../lib/executions";
import type { WireProgram } from "../../lib/wire";
import type { Problem } from "../../lib/result";

/** /api/v1/program/CONTEXT. */
export type ProgramWithExecutions = WireProgram & {
  binary_bytes: number;
  has_ops: boolean;
  executions: WireExecutions | null;
};

export interface WireMemoryOperand {
  base: string;
  index: string;
  scale: number;
  displacement: number;
  size_bytes: number;
  access: string;
}

export interface WireCode {
  origin: "capture" | "compiled" | "none";
  may_compile: boolean;
  command: string | null;
  sandbox: { files: boolean; network: boolean };
  missing: { program: string; package: string; brings: string }[];
  error: Problem | null;
  architecture: string;
  tool: string;
  truncated: boolean;
  cpus: string[];
  instructions: {
    address: number[];
    bytes: string[];
    mnemonic: string[];
    operands: string[];
    kind: number[];
    line: number[];
    reads: string[][];
    writes: string[][];
    memory: WireMemoryOperand[][];
    target: number[];
  };
  kinds: string[];
  families: Record<string, string>;
  blocks: { first: number[]; count: number[]; loop: number[]; depth: number[]; padding: number[] };
  edges: { from: number[]; to: number[]; jump: number[]; back: number[] };
  loops: { head: number[]; parent: number[]; depth: number[]; blocks: number[][] };
  layout: {
    /** The blocks that are drawn; x, y, w and h are theirs. */
    block: number[];
    x: number[];
    y: number[];
    w: number[];
    h: number[];
    points: number[][];
    reversed: number[];
    width: number;
    height: number;
    box_lines: number;
  };
}

export interface WireAnalysis {
  cpu: string;
  // An instruction that llvm-mca's model of this machine lacks, so that cpu is another; "" where it has them all.
  lacked: string;
  resources: string[];
  instructions: {
    index: number[];
    latency: number[];
    throughput: number[];
    micro_ops: number[];
    uses: [number, number][][];
  };
  unknown: number[];
  pressure: [number, number][];
  rounds: number;
  cycles: number;
  simulated: number;
  micro_ops: number;
  dispatch_width: number;
  instructions_per_cycle: number;
  block_throughput: number;
  bottlenecks: string;
}

const kMnemonicColumns = 11;

/** Instructions from first, count of them. */
export interface CodePart {
  first: number;
  count: number;
}

/** How many instructions there are of each kind but for padding, the most first; kinds without any are left out. */
export function countKinds(code: WireCode): { kind: number; count: number }[] {
  const { first, count, padding } = code.blocks;
  const counts = code.kinds.map((_, kind) => ({ kind, count: 0 }));
  for (let b = 0; b < first.length; b++) {
    if (padding[b] === 1) continue;
    for (let i = first[b]!; i < first[b]! + count[b]!; i++) counts[code.instructions.kind[i]!]!.count++;
  }
  return counts.filter((of) => of.count > 0).sort((a, b) => b.count - a.count);
}

/** By instruction, the block it is in. */
export function blockOfInstructions(code: WireCode): Uint32Array {
  const blocks = new Uint32Array(code.instructions.address.length);
  code.blocks.first.forEach((first, b) => blocks.fill(b, first, first + code.blocks.count[b]!));
  return blocks;
}

/** From the loop's first block to its last: what is analysed as the loop. */
export function partOfLoop(code: WireCode, loop: number): CodePart | null {
  const blocks = code.loops.blocks[loop];
  if (blocks === undefined || blocks.length === 0) return null;
  const [head, last] = [blocks[0]!, blocks[blocks.length - 1]!];
  const first = code.blocks.first[head]!;
  return { first, count: code.blocks.first[last]! + code.blocks.count[last]! - first };
}

/** The loop to begin with: the deepest, of those the longest; -1 where there is none. */
export function innermostLoop(code: WireCode): number {
  let best = -1;
  code.loops.head.forEach((_, loop) => {
    const deeper = best < 0 ? 1 : code.loops.depth[loop]! - code.loops.depth[best]!;
    if (deeper > 0 || (deeper === 0 && partOfLoop(code, loop)!.count > partOfLoop(code, best)!.count)) best = loop;
  });
  return best;
}

/** An instruction as text, for comparison: where a jump leads is written as how far it is. */
export function textOfInstruction(code: WireCode, i: number): string {
  const { mnemonic, operands, target } = code.instructions;
  const to = target[i]!;
  const rest = to < 0 ? operands[i]! : `${to < i ? "↑" : "↓"} ${Math.abs(to - i)}`;
  return `${mnemonic[i]!.padEnd(kMnemonicColumns)} ${rest}`.trimEnd();
}

/** Instructions whose text, bytes or address hold the words, whatever their case. */
export function findInstructions(code: WireCode, text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return [];
  const { mnemonic, operands, address } = code.instructions;
  const found: number[] = [];
  for (let i = 0; i < mnemonic.length; i++) {
    const line = `${formatAddress(address[i]!)} ${mnemonic[i]} ${operands[i]}`.toLowerCase();
    if (line.includes(wanted)) found.push(i);
  }
  return found;
}

export function formatAddress(address: number): string {
  return address.toString(16).padStart(4, "0");
}

export interface OperandPiece {
  text: string;
  /** The register family where it is a register, else "". */
  family: string;
  /** Within the brackets of a memory operand. */
  inMemory: boolean;
}

/** A register, also one of a file ("v[3]", "s[4:7]") or an element of one ("v0.s[1]"); what is between; a bracket. */
const kOperandWord = /[A-Za-z_][\w.]*\[\d+(?::\d+)?\]|[A-Za-z_][\w.]*|[^A-Za-z_[\]]+|[[\]]/g;

/** Cuts operands into registers and what is between them. */
export function cutOperands(code: WireCode, i: number): OperandPiece[] {
  const known = new Set([...code.instructions.reads[i]!, ...code.instructions.writes[i]!]);
  for (const operand of code.instructions.memory[i]!) known.add(operand.base).add(operand.index);
  const pieces: OperandPiece[] = [];
  let depth = 0;
  for (const [word] of code.instructions.operands[i]!.matchAll(kOperandWord)) {
    if (word === "[") depth++;
    const name = word.replace(/\..*$/, "");
    const family = code.families[name] ?? name;
    pieces.push({ text: word, family: known.has(family) ? family : "", inMemory: depth > 0 });
    if (word === "]") depth--;
  }
  return pieces;
}
