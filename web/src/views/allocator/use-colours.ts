// The theme's colours for the pictures of an allocator.
import { useMemo } from "preact/hooks";
import { readPalette, type Palette } from "../../draw/palette";
import { makeLaneColours, type LaneColours } from "../../draw/timeline/colours";
import { useApp } from "../parts/app-context";

export function useColours(): { palette: Palette; colours: LaneColours } {
  const tone = useApp().theme.shown.value;
  return useMemo(() => {
    const palette = readPalette(document.documentElement);
    return { palette, colours: makeLaneColours(palette) };
  }, [tone]);
}

/** A canvas is as wide as what it lies in. */
export function watchWidth(box: HTMLElement, onWidth: (px: number) => void): () => void {
  const observer = new ResizeObserver(() => onWidth(box.clientWidth));
  observer.observe(box);
  return () => observer.disconnect();
}
