// Takes the graph on screen away as a picture: all of it, as this match has it.
import { useSignal } from "@preact/signals";
import { drawGraphAsPng, drawGraphAsSvg, type GraphPicture } from "../../draw/graph/picture";
import { stripAnsi } from "../../lib/ansi";
import { nameFile } from "../../lib/file-name";
import { useApp, useCommand } from "../parts/app-context";
import { Menu } from "../parts/menu";
import { saveFile, saveText } from "../parts/save-file";
import { usePalette } from "../parts/use-palette";
import { useRewrites } from "./context";

export function GraphExport() {
  const { session, chosen, notices } = useApp();
  const { graph, measures, arrangement } = useRewrites();
  const palette = usePalette();
  const open = useSignal(false);
  const picture = (): GraphPicture => {
    const { loaded, layout, state, changes } = graph.shown.peek()!;
    const model = loaded.model;
    const measure = measures.shown.peek();
    const nothingChosen = { selection: null, absent: null, found: new Set<number>() };
    const bodies = arrangement.current.peek();
    return { model, layout, state, changes, palette: palette(), measure, bodies, ...nothingChosen };
  };
  const title = () => {
    const contexts = session.contexts.peek();
    const context = contexts?.contexts[chosen.context.peek() ?? -1];
    const pass = contexts?.pass_names[context?.passes.name[chosen.pass.peek() ?? -1] ?? -1] ?? "";
    return `${stripAnsi(context?.name ?? "")} ${stripAnsi(pass)} match ${graph.shown.peek()!.state}`;
  };
  const saveSvg = () => saveText(`${nameFile(title())}.svg`, "image/svg+xml", drawGraphAsSvg(picture(), title()));
  const savePng = async () => {
    const image = await drawGraphAsPng(picture());
    if (image !== null) saveFile(`${nameFile(title())}.png`, image);
    else
      notices.show("picture", { kind: "memory", message: "The browser has no room for this picture; take the SVG." });
  };
  const saved = (save: () => void) => {
    open.value = false;
    save();
  };
  useCommand("graph.svg", saveSvg);
  useCommand("graph.png", () => void savePng());
  return (
    <Menu open={open} label="Export" title="Take the graph away as a picture">
      <div class="menu-actions">
        <button onClick={() => saved(saveSvg)}>Save as SVG</button>
        <button onClick={() => saved(() => void savePng())}>Save as PNG</button>
      </div>
    </Menu>
  );
}
