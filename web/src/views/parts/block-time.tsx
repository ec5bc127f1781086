// A time of an ETDump's block, in the unit that the block's figures have.
import { inNanoseconds } from "../../lib/etdump/records";
import type { WireBlock } from "../../lib/etdump/wire";
import { formatCount } from "../../lib/text";
import { Duration, Figure } from "./figure";
import { kNothing } from "./list-view/field-column";

export function BlockTime({ value, block }: { value: number | null; block: WireBlock }) {
  if (value === null) return kNothing;
  const ns = inNanoseconds(value, block.unit);
  return ns === null ? (
    <Figure text={formatCount(value)} exact={value} unit="cycles" />
  ) : (
    <Duration ns={Math.floor(ns)} ps={Math.floor((ns % 1) * 1000)} />
  );
}
