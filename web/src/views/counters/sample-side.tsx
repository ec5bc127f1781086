// The addresses of a sampled kernel, those with most samples first, and what warps waited for there.
import { linkToTrace } from "../../lib/links";
import { nameOfStall } from "../../lib/pc-samples";
import { formatCount, formatPlural, formatShare } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { WhenFetched } from "../parts/list-view/list-view";
import { Section } from "../parts/section";
import type { CounterState } from "./state";
import type { WireSamples } from "./wire";

const kMostShown = 200;

export function SampleSide({ counters }: { counters: CounterState }) {
  return (
    <WhenFetched fetched={counters.samples.value} waiting="Reading the samples" broken="The samples cannot be shown">
      {(samples) => (
        <>
          <SampleTimeline counters={counters} />
          <Addresses samples={samples} />
        </>
      )}
    </WhenFetched>
  );
}

/** To the samples one by one, on the lanes of their warps. */
function SampleTimeline({ counters }: { counters: CounterState }) {
  const { place } = useApp();
  const { samplings } = counters;
  const row = samplings.chosen.value;
  if (row === null) return null;
  return (
    <p class="note">
      <button class="link" onClick={() => place.follow(linkToTrace(`s${samplings.placeOf(row)}`))}>
        Its warps, sample by sample →
      </button>
    </p>
  );
}

function Addresses({ samples }: { samples: WireSamples }) {
  const order = samples.address.map((_, at) => at).sort((a, b) => samples.samples[b]! - samples.samples[a]!);
  const all = samples.samples.reduce((sum, count) => sum + count, 0);
  return (
    <Section title="By address" note={formatCount(samples.address.length)}>
      <p class="dim note">
        {samples.has_base
          ? "Of the program's first instruction on."
          : "As the GPU has them: the capture does not say where the program was loaded."}
      </p>
      <table class="details sample-table" aria-label="Samples by address">
        <thead>
          <tr>
            <th>address</th>
            <th title="Of all samples">share</th>
            <th title="Samples in which the warp issued">issued</th>
            <th class="left" title="What most of its samples waited for">
              mostly
            </th>
          </tr>
        </thead>
        <tbody>
          {order.slice(0, kMostShown).map((at) => {
            const stalls = stallsAt(samples, at);
            return (
              <tr key={at}>
                <td class="mono">{samples.address[at]!.toString(16)}</td>
                <td title={formatPlural(samples.samples[at]!, "sample")}>
                  {formatShare(samples.samples[at]! / Math.max(all, 1))}
                </td>
                <td>{formatShare(samples.active[at]! / Math.max(samples.samples[at]!, 1))}</td>
                <td class="left" title={stalls.join("\n")}>
                  {stalls[0]}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {order.length > kMostShown && <p class="dim note">The {formatCount(kMostShown)} with most samples.</p>}
    </Section>
  );
}

/** The most frequent first: "memory dependency 77 %". */
function stallsAt({ stalls, counts, samples }: WireSamples, at: number): string[] {
  return stalls
    .map((name, stall) => ({ name, count: counts[at]![stall]! }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ name, count }) => `${nameOfStall(name)} ${formatShare(count / Math.max(samples[at]!, 1))}`);
}
