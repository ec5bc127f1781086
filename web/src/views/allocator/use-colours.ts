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
