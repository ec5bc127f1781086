// Takes the graph on screen away as a picture: all of it, as this match has it.
import { drawGraphAsPng, drawGraphAsSvg, type GraphPicture } from "../../draw/graph/picture";
import { stripAnsi } from "../../lib/ansi";
import { nameFile } from "../../lib/file-name";
import { useApp, useCommand } from "../parts/app-context";
import { saveFile, saveText } from "../parts/save-file";
import { usePalette } from "../parts/use-palette";
import { useRewrites } from "./context";

/** The menu that saves it; it answers the commands that do so too. */
export function useGraphExport(): { saveSvg(): void; savePng(): Promise<void> } {
  const { session, chosen, notices } = useApp();
  const { graph, measures, arrangement } = useRewrites();
  const palette = usePalette();
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
  useCommand("graph.svg", saveSvg);
  useCommand("graph.png", () => void savePng());
  return { saveSvg, savePng };
}
