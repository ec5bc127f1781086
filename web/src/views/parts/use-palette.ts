// The theme's colours for a view's canvas: read once a theme, not once a frame, since reading them costs a style pass.
import { useRef } from "preact/hooks";
import { readPalette, type Palette } from "../../draw/palette";
import { useApp } from "./app-context";

/** Returns a function that tells the theme's colours at the time: for drawing, outside of rendering. */
export function usePalette(): () => Palette {
  const { theme } = useApp();
  const kept = useRef<{ theme: string; palette: Palette } | null>(null);
  return () => {
    const shown = theme.shown.peek();
    if (kept.current?.theme !== shown) {
      kept.current = { theme: shown, palette: readPalette(document.documentElement) };
    }
    return kept.current.palette;
  };
}
