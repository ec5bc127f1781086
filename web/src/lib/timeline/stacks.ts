// Where tracks stood in a range of time, as sampled: by stack, the most weight first.

export interface StackFrame {
  function: string;
  /** "" and 0 where that is not known. */
  file: string;
  line: number;
}

export interface StackShare {
  samples: number;
  /** The amount that its samples stand for. */
  weight: number;
  /** The innermost first. */
  frames: readonly StackFrame[];
}

export interface StackTable {
  samples: number;
  weight: number;
  stackCount: number;
  /** All, or the first hundred. */
  stacks: readonly StackShare[];
}

export const kMostStacks = 100;

/** One table of several, which have no stack in common: those of captures side by side. */
export function mergeStacks(tables: readonly StackTable[]): StackTable {
  const sum = (of: (table: StackTable) => number) => tables.reduce((total, table) => total + of(table), 0);
  return {
    samples: sum((table) => table.samples),
    weight: sum((table) => table.weight),
    stackCount: sum((table) => table.stackCount),
    stacks: tables
      .flatMap((table) => table.stacks)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, kMostStacks),
  };
}

export function formatFrame({ function: name, file, line }: StackFrame): string {
  const place = file === "" ? "" : line > 0 ? ` ${file}:${line}` : ` ${file}`;
  return `${name === "" ? "?" : name}${place}`;
}
