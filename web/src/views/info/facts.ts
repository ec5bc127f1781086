// The capture's facts about its machine and its making (/api/v1/facts, server/http/API.md).
import { formatBytes } from "../../lib/bytes";
import { formatCount } from "../../lib/text";

export interface WireFact {
  /** The device or program that it is about; "" for the capture as a whole. */
  subject: string;
  name: string;
  value: number | string;
  unit: string;
}

export interface WireFacts {
  facts: WireFact[];
}

/** "81.6 GB", "1,980 MHz", "12.4". */
export function valueText({ value, unit }: WireFact): string {
  if (typeof value === "string") return value;
  if (unit === "B") return formatBytes(value);
  return `${formatCount(value)} ${unit}`.trimEnd();
}
