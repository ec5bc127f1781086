// The menu of how the graph is shown: what is folded or left out, how it is coloured and laid out, and the picture of
// it to take away.
import { useSignal } from "@preact/signals";
import { kFold } from "../../lib/graph/arrangement";
import { useCommand } from "../parts/app-context";
import { KeyCap } from "../parts/key-cap";
import { Menu } from "../parts/menu";
import { useRewrites } from "./context";
import { useGraphExport } from "./graph-export";
import { HideChoices } from "./hide-choices";
import { MeasureChoice } from "./measure-choice";

export function ViewMenu() {
  const { arrangement, graph } = useRewrites();
  const open = useSignal(false);
  useCommand("view.hide", () => (open.value = !open.value));
  const { saveSvg, savePng } = useGraphExport();
  const saved = (save: () => void) => {
    open.value = false;
    save();
  };
  const { fold, compact, hiddenOps, hidesConstants, hidesIndexing, hidesBodies } = arrangement.current.value;
  const { state } = graph.shown.value!;
  const [isFolded, isCompact] = [fold >= 2, compact === state];
  const count = hiddenOps.length + Number(hidesConstants) + Number(hidesIndexing) + Number(hidesBodies);
  return (
    <Menu
      open={open}
      isOn={count > 0 || isFolded || isCompact}
      title="Fold, leave out, colour, compact, export"
      label={
        <>
          {count === 0 ? "View" : `View, ${count} hidden`} <KeyCap command="view.hide" />
        </>
      }
    >
      <Turn
        name="Fold alike nodes"
        command="view.fold"
        hint="Nodes that are alike but for integers, such as the copies of an unrolled loop, become one"
        isOn={isFolded}
        onTurn={() => arrangement.set({ fold: isFolded ? 0 : kFold, unfolded: [] })}
      />
      <Turn
        name="Compact"
        command="view.compact"
        hint="Lays out this match's graph by itself: closer, but not where the others have it"
        isOn={isCompact}
        onTurn={() => arrangement.set({ compact: isCompact ? null : state })}
      />
      <MeasureChoice />
      <p class="menu-title dim">Leave out</p>
      <HideChoices />
      <p class="menu-title dim">Export</p>
      <div class="menu-actions">
        <button onClick={() => saved(saveSvg)}>Save as SVG</button>
        <button onClick={() => saved(() => void savePng())}>Save as PNG</button>
      </div>
    </Menu>
  );
}

interface TurnProps {
  name: string;
  command: string;
  hint: string;
  isOn: boolean;
  onTurn: () => void;
}

function Turn({ name, command, hint, isOn, onTurn }: TurnProps) {
  return (
    <label class="choice" title={hint}>
      <input type="checkbox" checked={isOn} onChange={onTurn} />
      <span>{name}</span>
      <span class="dim">
        <KeyCap command={command} />
      </span>
    </label>
  );
}
