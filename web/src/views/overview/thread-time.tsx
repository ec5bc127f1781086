// Where the time of the host's threads went, of a capture in which no device worked: one bar for all threads of a rank
// together, then one for each.
import { useSignal } from "@preact/signals";
import { dividedThreadTime, type WireDevices } from "../../lib/devices";
import type { ThreadFields } from "../../lib/device-fields";
import { formatCount, formatDuration, formatPlural } from "../../lib/text";
import { Duration, Share } from "../parts/figure";
import { TimeBar } from "../parts/time-bar";

/** Threads that have a bar before more are asked for. */
const kShown = 8;

export function ThreadTime({ threads }: { threads: WireDevices["threads"] }) {
  const ranks = [...new Set(threads.map(({ rank }) => rank))];
  return (
    <>
      {ranks.map((rank) => (
        <RankThreads key={String(rank)} rows={threads.filter((row) => row.rank === rank)} />
      ))}
    </>
  );
}

function RankThreads({ rows }: { rows: readonly ThreadFields[] }) {
  const shown = useSignal(kShown);
  const all = rows.find(({ thread }) => thread === null);
  if (all === undefined) return null;
  const own = rows.filter((row) => row !== all);
  return (
    <section class="overview-lead">
      <h3>
        Where the host's time went{" "}
        <span class="of">
          of {formatDuration(all.span_ns)}
          {all.rank === null ? "" : ` of rank ${all.rank}`}, {formatPlural(own.length, "thread")}
        </span>
      </h3>
      <TimeBar parts={dividedThreadTime(all)} span_ns={all.span_ns} longest_ns={all.span_ns} />
      <Legend row={all} />
      {own.length > 1 &&
        own.slice(0, shown.value).map((row, at) => (
          <div key={at} class="device-bar-row">
            <p>
              <strong>{row.thread}</strong> <span class="dim">computed</span>{" "}
              <Share of={row.span_ns === 0 ? 0 : row.compute_ns / row.span_ns} /> <span class="dim">of</span>{" "}
              <Duration ns={row.span_ns} />
              {row.alone_ns !== null && row.compute_ns > 0 && (
                <span class="dim"> · {formatDuration(row.alone_ns)} while no other thread did</span>
              )}
            </p>
            <TimeBar parts={dividedThreadTime(row)} span_ns={row.span_ns} longest_ns={all.span_ns} />
          </div>
        ))}
      {own.length > shown.value && (
        <button class="link more" onClick={() => (shown.value = own.length)}>
          {formatCount(own.length - shown.value)} more threads
        </button>
      )}
    </section>
  );
}

function Legend({ row }: { row: ThreadFields }) {
  return (
    <ul class="time-legend">
      {dividedThreadTime(row).map(
        ({ id, title, hint, ns }) =>
          ns > 0 && (
            <li key={id} title={hint}>
              <span class={`swatch part-${id}`} /> {title} <Share of={row.span_ns === 0 ? 0 : ns / row.span_ns} />
            </li>
          ),
      )}
      {row.threads_at_work !== null && (
        <li>
          {row.threads_at_work.toFixed(2)} <span class="dim">threads at work on average</span>
        </li>
      )}
    </ul>
  );
}
