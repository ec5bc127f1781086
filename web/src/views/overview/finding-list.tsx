// The findings, in order of what they cost the devices.
import { stripAnsi } from "../../lib/ansi";
import { formatDuration } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Duration, Share } from "../parts/figure";
import { ShareBar } from "../parts/share-bar";
import { Table, type Column } from "../parts/table";
import type { Finding } from "./findings";

export function Findings({ findings, whole_ns }: { findings: readonly Finding[]; whole_ns: number }) {
  const { place } = useApp();
  if (findings.length === 0) return null;
  const columns: Column<Finding>[] = [
    {
      id: "finding",
      title: "Finding",
      align: "left",
      isWide: true,
      show: ({ title, detail, link }) => (
        <span class="finding">
          <button class="link kernel-name" title={stripAnsi(title)} onClick={() => place.follow(link)}>
            {title}
          </button>
          <span class="dim kernel-name" title={detail}>
            {detail}
          </span>
        </span>
      ),
    },
    { id: "cost", title: "Costs", hint: "Of the devices' time", show: ({ cost_ns }) => <Duration ns={cost_ns} /> },
    {
      id: "share",
      title: "% of time",
      hint: "Of the devices' time. Costs may overlap: they do not add up",
      show: ({ cost_ns }) => <Share of={cost_ns / whole_ns} />,
    },
    { id: "bar", title: "", show: ({ id, cost_ns }) => <ShareBar of={cost_ns / whole_ns} part={partOf(id)} /> },
  ];
  return (
    <section class="findings">
      <h3>
        Findings <span class="of">by what they cost of the devices' {formatDuration(whole_ns)}; costs may overlap</span>
      </h3>
      <Table columns={columns} rows={findings} keyOf={({ id }) => id} label="Findings by what they cost" />
    </section>
  );
}

const kParts = ["communication", "memory", "host", "kernel", "other"];
const partOf = (id: string) => (kParts.includes(id) ? id : id.startsWith("straggler") ? "communication" : "compute");
