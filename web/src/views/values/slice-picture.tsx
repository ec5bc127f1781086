// A matrix as a picture, a cell an element: blue below zero, orange above, grey where it is NaN, and black and white for
// the infinities. All of one sign goes from pale to full.
import { useEffect, useRef } from "preact/hooks";
import { formatValue, toNumber, type WireSlice } from "./wire";

interface SlicePictureProps {
  slice: WireSlice;
  /** Of the whole tensor, so that slices can be compared. */
  least: number;
  greatest: number;
}

type Rgb = readonly [number, number, number];
const kBlue: Rgb = [30, 90, 180];
const kOrange: Rgb = [214, 96, 20];
const kPale: Rgb = [244, 244, 240];
const kNan: Rgb = [128, 128, 128];

export function colourOf(value: number, least: number, greatest: number): Rgb {
  if (Number.isNaN(value)) return kNan;
  if (!Number.isFinite(value)) return value > 0 ? [255, 255, 255] : [0, 0, 0];
  const most = Math.max(Math.abs(least), Math.abs(greatest));
  const isOneSided = least >= 0 || greatest <= 0;
  const from = isOneSided ? Math.min(Math.abs(least), Math.abs(greatest)) : 0;
  const part = most > from ? Math.min(Math.max((Math.abs(value) - from) / (most - from), 0), 1) : 0;
  const full = value < 0 ? kBlue : kOrange;
  return [0, 1, 2].map((i) => Math.round(kPale[i]! + (full[i]! - kPale[i]!) * part)) as unknown as Rgb;
}

export function SlicePicture({ slice, least, greatest }: SlicePictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = Math.ceil(slice.columns / slice.column_step);
  const height = Math.ceil(slice.rows / slice.row_step);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (context === null || context === undefined || width * height === 0) return;
    const image = context.createImageData(width, height);
    slice.elements.forEach((element, i) => {
      image.data.set([...colourOf(toNumber(element), least, greatest), 255], i * 4);
    });
    context.putImageData(image, 0, 0);
  }, [slice, least, greatest, width, height]);
  if (slice.elements.length < 2) return null;
  return (
    <figure class="values-picture">
      <canvas
        ref={canvas}
        width={width}
        height={height}
        style={{ aspectRatio: `${Math.max(width, 1)} / ${Math.max(height, 1)}` }}
        role="img"
        aria-label={`${slice.rows} by ${slice.columns} elements`}
      />
      <figcaption class="dim">
        <span>{formatValue(least)}</span>
        <span class="values-ramp" style={{ background: rampOf(least, greatest) }} aria-hidden="true" />
        <span>{formatValue(greatest)}</span>
      </figcaption>
    </figure>
  );
}

const kSteps = 8;

function rampOf(least: number, greatest: number): string {
  const stops = Array.from({ length: kSteps + 1 }, (_, i) => {
    const [red, green, blue] = colourOf(least + ((greatest - least) * i) / kSteps, least, greatest);
    return `rgb(${red} ${green} ${blue})`;
  });
  return `linear-gradient(to right, ${stops.join(", ")})`;
}
