// The answer of /api/v1/compare/places.
import type { PlaceFields } from "../../lib/device-fields";
import type { LinkedEvent } from "../../lib/links";
import type { ModuleKind } from "../../lib/replays";

export interface WirePlace extends PlaceFields {
  kind: ModuleKind;
  a_longest: LinkedEvent | null;
  b_longest: LinkedEvent | null;
}

interface WireSide {
  name: string;
  steps: number;
  /** How long the median decode step takes, to the next. */
  decode_ns: number | null;
}

export interface WireComparedPlaces {
  a: WireSide;
  b: WireSide;
  /** How many places there are; those that changed most are among the rows. */
  all: number;
  rows: WirePlace[];
}
