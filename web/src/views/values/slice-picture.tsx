// A matrix as a picture, a cell an element (colour.ts).
import { useEffect, useRef } from "preact/hooks";
import { colourOf } from "./colour";
import { formatValue, toNumber, type WireSlice } from "./wire";

interface SlicePictureProps {
  slice: WireSlice;
  /** The least and greatest elements of the whole tensor, so that slices can be compared. */
  least: number;
  greatest: number;
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
