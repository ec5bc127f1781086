// The colour of an element in a picture: blue below zero, orange above, grey where it is NaN, white and black for the
// infinities. All of one sign goes from pale to full.

export type Rgb = readonly [red: number, green: number, blue: number];

const kBlue: Rgb = [30, 90, 180];
const kOrange: Rgb = [214, 96, 20];
const kPale: Rgb = [244, 244, 240];
const kNan: Rgb = [128, 128, 128];

/** least and greatest: of the finite elements of the whole tensor. */
export function colourOf(value: number, least: number, greatest: number): Rgb {
  if (Number.isNaN(value)) return kNan;
  if (!Number.isFinite(value)) return value > 0 ? [255, 255, 255] : [0, 0, 0];
  const most = Math.max(Math.abs(least), Math.abs(greatest));
  const isOneSided = least >= 0 || greatest <= 0;
  const from = isOneSided ? Math.min(Math.abs(least), Math.abs(greatest)) : 0;
  const part = most > from ? Math.min(Math.max((Math.abs(value) - from) / (most - from), 0), 1) : 0;
  const full = value < 0 ? kBlue : kOrange;
  const mix = (i: 0 | 1 | 2) => Math.round(kPale[i] + (full[i] - kPale[i]) * part);
  return [mix(0), mix(1), mix(2)];
}
