// The captures that lie beside the one on screen, and how their times are laid over its own: by their clocks, begin to
// begin, or shifted by hand.
import { useSignal } from "@preact/signals";
import type { Alignment, Beside } from "../../lib/timeline/beside";
import { formatPlural } from "../../lib/text";
import { useApp, useCommand } from "../parts/app-context";
import { KeyCap } from "../parts/key-cap";
import { Overlay } from "../parts/overlay";
import { useTimeline } from "./context";
import "./beside.css";

/** Under the lanes' names, where another capture with a profile is open. */
export function BesideFoot() {
  const { session } = useApp();
  const { beside } = useTimeline();
  const isOpen = useSignal(false);
  useCommand("timeline.beside", () => (isOpen.value = true));
  const others = useOthers();
  const here = session.capture.value?.name ?? "";
  return (
    <>
      {others.length > 0 && (
        <button
          class="lanes-foot beside-foot"
          title="Show other captures under this one, on the same time axis"
          onClick={() => (isOpen.value = true)}
        >
          <span>
            {beside.value.length === 0 ? "add a capture" : formatPlural(beside.value.length, "capture") + " added"}
          </span>
          <KeyCap command="timeline.beside" />
        </button>
      )}
      {isOpen.value && <BesidePanel here={here} others={others} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

/** Names of the other captures that have a profile. */
function useOthers(): string[] {
  const { session } = useApp();
  const shown = session.capture.value?.id;
  const captures = session.info.value?.captures ?? [];
  return captures.filter((capture) => capture.has_profile && capture.id !== shown).map(({ name }) => name);
}

function BesidePanel({ here, others, onClose }: { here: string; others: readonly string[]; onClose: () => void }) {
  const { beside, setBeside } = useTimeline();
  const set = (name: string, alignment: Alignment | null) => {
    const rest = beside.value.filter((each) => each.name !== name);
    setBeside(alignment === null ? rest : inOrder([...rest, { name, alignment }], others));
  };
  return (
    <Overlay label="Captures under this one" onClose={onClose}>
      <div class="beside-panel">
        <h2>On one time axis with {here}</h2>
        {others.length === 0 && (
          <p class="dim">
            No other capture with a profile is open: start vizd with several files to compare them on one time axis.
          </p>
        )}
        <ul>
          {others.map((name) => (
            <OtherCapture
              key={name}
              name={name}
              alignment={beside.value.find((each) => each.name === name)?.alignment ?? null}
              onChange={(alignment) => set(name, alignment)}
            />
          ))}
        </ul>
        <footer>
          <span class="dim">Times are shifted on screen only; the captures stay as they are.</span>
          <span class="spacer" />
          <button class="quiet" onClick={onClose}>
            close <kbd>Esc</kbd>
          </button>
        </footer>
      </div>
    </Overlay>
  );
}

interface OtherCaptureProps {
  name: string;
  /** Null where it does not lie beside. */
  alignment: Alignment | null;
  onChange: (alignment: Alignment | null) => void;
}

function OtherCapture({ name, alignment, onChange }: OtherCaptureProps) {
  const by = typeof alignment === "number" ? "hand" : alignment;
  return (
    <li>
      <label>
        <input
          type="checkbox"
          checked={alignment !== null}
          onChange={() => onChange(alignment === null ? "clock" : null)}
        />
        {name}
      </label>
      {alignment !== null && (
        <select
          aria-label={`How ${name} is aligned`}
          value={by ?? "clock"}
          onChange={({ currentTarget: { value } }) =>
            onChange(value === "hand" ? 0 : value === "clock" ? "clock" : "start")
          }
        >
          <option value="clock">by their clocks, else begin to begin</option>
          <option value="start">begin to begin</option>
          <option value="hand">shifted by hand</option>
        </select>
      )}
      {typeof alignment === "number" && (
        <label>
          by{" "}
          <input
            type="number"
            step="any"
            aria-label={`Microseconds that ${name} is shifted by`}
            value={alignment / 1000}
            onChange={({ currentTarget: { valueAsNumber } }) =>
              Number.isFinite(valueAsNumber) && onChange(Math.round(valueAsNumber * 1000))
            }
          />{" "}
          µs
        </label>
      )}
    </li>
  );
}

/** As the session lists them. */
function inOrder(list: readonly Beside[], names: readonly string[]): Beside[] {
  const places = new Map(names.map((name, at) => [name, at]));
  const placeOf = ({ name }: Beside) => places.get(name) ?? -1;
  return [...list].sort((a, b) => placeOf(a) - placeOf(b));
}
