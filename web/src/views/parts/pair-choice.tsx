// The choice of two captures to compare, and a button that turns them round.
import type { ComparedPair } from "../../state/compared-pair";
import { useApp } from "./app-context";
import { KeyCap } from "./key-cap";

/** command: the one that turns them round. */
export function PairChoice({ compared, command }: { compared: ComparedPair; command: string }) {
  return (
    <>
      <Side compared={compared} side="before" title="before (A)" />
      <button class="pill" onClick={compared.swap}>
        Swap <KeyCap command={command} />
      </button>
      <Side compared={compared} side="after" title="after (B)" />
    </>
  );
}

/** The choice of one side; the capture of the other side chosen here turns them round. */
function Side({ compared, side, title }: { compared: ComparedPair; side: "before" | "after"; title: string }) {
  const { session } = useApp();
  const pair = compared.pair.value!;
  const other = side === "before" ? pair.after : pair.before;
  return (
    <label>
      <span class="dim">{title}</span>{" "}
      <select
        class="choice"
        value={pair[side].name}
        onChange={({ currentTarget: { value } }) =>
          value === other.name && !compared.canBeBoth(value) ? compared.swap() : compared.choose({ [side]: value })
        }
      >
        {compared.captures.value.map(({ id, name }) => (
          <option key={id} value={name}>
            {session.labels.value.get(id)}
          </option>
        ))}
      </select>
    </label>
  );
}
