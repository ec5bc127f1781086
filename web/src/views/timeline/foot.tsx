// The line under the lanes: how many there are, other captures under this one, what the colours mean, and a menu of
// what is done now and then.
import { useSignal } from "@preact/signals";
import type { LaneLayout } from "../../lib/timeline/lanes-layout";
import { kColourings, type ColourBy } from "../../lib/timeline/sight";
import type { Timeline } from "../../lib/timeline/timeline";
import { kIdleCauses, kIdleHints, kIdleTitles } from "../../lib/timeline/idle-cause";
import { listClasses, type WorkClass } from "../../lib/timeline/work-class";
import { useApp } from "../parts/app-context";
import { KeyCap } from "../parts/key-cap";
import { Menu } from "../parts/menu";
import { BesideFoot } from "./beside-panel";
import { useTimeline } from "./context";
import { LanesFoot } from "./lanes-panel";

interface FootProps {
  shown: Timeline;
  layout: LaneLayout;
  /** Scrolls to a box. */
  onShow: (key: string) => void;
}

export function TimelineFoot({ shown, layout, onShow }: FootProps) {
  return (
    <div class="timeline-foot">
      <LanesFoot layout={layout} onShow={onShow} />
      <BesideFoot />
      <span class="spacer" />
      <Legend shown={shown} />
      <ViewMenu />
    </div>
  );
}

const kTitles: Readonly<Record<WorkClass, string>> = {
  compute: "compute",
  communication: "communication",
  memory: "memory",
  host: "host",
  other: "ranges",
};

/** What each colour stands for; grey are aggregates of several. */
function Legend({ shown }: { shown: Timeline }) {
  const { colourBy } = useTimeline();
  if (colourBy.value === "name") return <span class="timeline-legend dim">a colour for each name</span>;
  const hasWork = shown.lanes.some(({ work }) => work !== null);
  return (
    <ul class="timeline-legend" aria-label="Colours">
      {listClasses(shown).map((work) => (
        <li key={work}>
          <i class="swatch" style={{ background: `var(--class-${work})` }} />
          {kTitles[work]}
        </li>
      ))}
      {hasWork &&
        kIdleCauses.map((cause) => (
          <li key={cause} title={`A line under the device's lane. ${kIdleHints[cause]}`}>
            <i class="swatch line" style={{ background: `var(--idle-${cause})` }} />
            {kIdleTitles[cause]}
          </li>
        ))}
    </ul>
  );
}

const kColourTitles: Readonly<Record<ColourBy, string>> = {
  class: "Colours by class of work",
  name: "Colours by name",
};

/** Commands of the menu; each runs as its key does. */
const kItems = ["timeline.fold", "timeline.path", "timeline.slowest", "timeline.clock", "timeline.png"] as const;

function ViewMenu() {
  const { commands } = useApp();
  const { colourBy, lanes } = useTimeline();
  const open = useSignal(false);
  return (
    <Menu open={open} title="How the lanes are shown" label="View">
      {kColourings.map((by) => (
        <label key={by} class="choice">
          <input type="radio" name="colours" checked={colourBy.value === by} onChange={() => (colourBy.value = by)} />
          {kColourTitles[by]}
        </label>
      ))}
      {kItems.map((id) => (
        <button
          key={id}
          class="quiet"
          onClick={() => {
            open.value = false;
            commands.run(id);
          }}
        >
          {commands.find(id)?.title} <KeyCap command={id} />
        </button>
      ))}
      <button
        class="quiet"
        onClick={() => {
          open.value = false;
          lanes.reset();
        }}
      >
        Arrange the lanes as at first
      </button>
    </Menu>
  );
}
