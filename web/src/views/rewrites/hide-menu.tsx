// The button that leads to what is left out of the graph, and says how much that is.
import { useSignal } from "@preact/signals";
import { useCommand } from "../parts/app-context";
import { useRewrites } from "./context";
import { HideChoices } from "./hide-choices";
import { KeyCap } from "../parts/key-cap";
import { Menu } from "../parts/menu";

export function HideMenu() {
  const { arrangement } = useRewrites();
  const open = useSignal(false);
  useCommand("view.hide", () => (open.value = !open.value));
  const { hiddenOps, hidesConstants, hidesIndexing, hidesBodies } = arrangement.current.value;
  const count = hiddenOps.length + Number(hidesConstants) + Number(hidesIndexing) + Number(hidesBodies);
  return (
    <Menu
      open={open}
      isOn={count > 0}
      title="Leave out constants, indexing or ops"
      label={
        <>
          {count === 0 ? "Hide" : `Hidden ${count}`} <KeyCap command="view.hide" />
        </>
      }
    >
      <HideChoices />
    </Menu>
  );
}
