// At the end of a row of machine code: how often a warp was seen there, how often it issued then, and what it waited
// for.
import { nameOfStall } from "../../lib/pc-samples";
import { formatCount, formatShare } from "../../lib/text";
import { stallsAt, type JoinedSamples } from "./samples";

export function SampleHeads() {
  return (
    <span class="cost-heads heat-heads dim">
      <span title="How often a warp was seen there">samples</span>
      <span title="Of all samples">share</span>
      <span title="Samples in which the warp issued it">issued</span>
      <span class="uses" title="The samples by what the warps waited for">
        stalls
      </span>
    </span>
  );
}

interface SampleCellsProps {
  joined: JoinedSamples;
  index: number;
}

export function SampleCells({ joined, index }: SampleCellsProps) {
  const row = joined.rowOf[index]!;
  const { samples, costs } = joined;
  if (row < 0) return <span class="costs heat-costs" />;
  const count = samples.samples[row]!;
  const stalls = stallsAt(samples, row);
  const title = stalls.map((at) => `${formatCount(at.count)} ${nameOfStall(samples.stalls[at.stall]!)}`).join("\n");
  return (
    <span class="costs heat-costs">
      <span>{formatCount(count)}</span>
      <span>{formatShare(count / costs.all)}</span>
      <span>{formatShare(samples.active[row]! / Math.max(count, 1))}</span>
      <span class="uses" title={title}>
        {stalls.map(({ stall, count: of }) => (
          <i key={stall} class={`resource-${stall % 10}`} style={{ width: `${(100 * of) / costs.most}%` }} />
        ))}
      </span>
    </span>
  );
}
