// Choices of nodes to leave out of the graph: constants, indexing, ops by name; and sets of those kept under a name.
import { useSignal } from "@preact/signals";
import { formatArrangement, parseArrangement, type Arrangement } from "../../lib/graph/arrangement";
import { countKinds } from "../../lib/graph/pass-changes";
import { formatCount } from "../../lib/text";
import { useRewrites } from "./context";

const kMostOps = 40;

export function HideChoices() {
  const { arrangement } = useRewrites();
  return (
    <>
      <Choices current={arrangement.current.value} />
      <SavedFilters current={arrangement.current.value} />
    </>
  );
}

function Choices({ current }: { current: Arrangement }) {
  const { arrangement, graph } = useRewrites();
  const shown = graph.shown.value;
  if (shown === null) return null;
  const ops = countKinds(shown.loaded.model, shown.state);
  const hiddenOps = new Set(current.hiddenOps);
  const names = [...new Set([...hiddenOps, ...ops.keys()])].slice(0, kMostOps);
  const turn = (op: string, isHidden: boolean) => {
    const others = current.hiddenOps.filter((name) => name !== op);
    arrangement.set({ hiddenOps: isHidden ? [...others, op] : others });
  };
  return (
    <>
      <Choice
        name="Constants"
        note="and what is made of them alone"
        isHidden={current.hidesConstants}
        onTurn={(hidesConstants) => arrangement.set({ hidesConstants })}
      />
      <Choice
        name="Indexing"
        note="what only leads to an index"
        isHidden={current.hidesIndexing}
        onTurn={(hidesIndexing) => arrangement.set({ hidesIndexing })}
      />
      {shown.loaded.model.kinds.some(({ body }) => body > 0) && (
        <Choice
          name="Bodies"
          note="of calls and programs"
          isHidden={current.hidesBodies}
          onTurn={(hidesBodies) => arrangement.set({ hidesBodies, turnedCalls: [] })}
        />
      )}
      <div class="menu-list">
        {names.map((op) => (
          <Choice
            key={op}
            name={op}
            note={formatCount(ops.get(op) ?? 0)}
            isHidden={hiddenOps.has(op)}
            onTurn={(isHidden) => turn(op, isHidden)}
          />
        ))}
      </div>
    </>
  );
}

interface ChoiceProps {
  name: string;
  note: string;
  isHidden: boolean;
  onTurn: (isHidden: boolean) => void;
}

function Choice({ name, note, isHidden, onTurn }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="checkbox" checked={isHidden} onChange={(event) => onTurn(event.currentTarget.checked)} />
      <span>{name}</span>
      <span class="dim">{note}</span>
    </label>
  );
}

function SavedFilters({ current }: { current: Arrangement }) {
  const { arrangement, filters } = useRewrites();
  const name = useSignal("");
  const { hide } = formatArrangement(current);
  const apply = (saved: string) => {
    const { hiddenOps, hidesConstants, hidesIndexing, hidesBodies } = parseArrangement({ hide: saved });
    arrangement.set({ hiddenOps, hidesConstants, hidesIndexing, hidesBodies });
  };
  return (
    <div class="saved-filters">
      {filters.saved.value.map((filter) => (
        <div key={filter.name} class="saved-filter">
          <button
            class="link"
            title={filter.hide}
            aria-pressed={filter.hide === hide}
            onClick={() => apply(filter.hide)}
          >
            {filter.name}
          </button>
          <button class="icon" aria-label={`Forget ${filter.name}`} onClick={() => filters.forget(filter.name)}>
            ×
          </button>
        </div>
      ))}
      {hide !== null && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (name.value.trim() !== "") filters.save(name.value.trim(), hide);
            name.value = "";
          }}
        >
          <input
            type="text"
            placeholder="Save these as …"
            aria-label="Name of the filter"
            value={name.value}
            onInput={(event) => (name.value = event.currentTarget.value)}
          />
          <button type="button" class="quiet" onClick={() => apply("")}>
            show all
          </button>
        </form>
      )}
    </div>
  );
}
