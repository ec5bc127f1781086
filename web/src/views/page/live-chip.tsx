// Whether what is shown is what there is: live while the server is heard from and the capture's files are there and can
// be read; else what is amiss, and since when as far as this page has seen it happen. A report says that it is one.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { describeFailure } from "../../lib/capture-files";
import type { Report } from "../../lib/report";
import type { CaptureInfo } from "../../lib/wire";
import { useApp } from "../parts/app-context";

export function LiveChip({ capture }: { capture: CaptureInfo }) {
  const { events } = useApp();
  const isLive = events.live.value;
  const wasLive = useRef(false);
  wasLive.current ||= isLive;
  const kept = "The page shows what it has.";
  const failure = isLive
    ? describeFailure(capture)
    : wasLive.current
      ? { text: "offline", why: `vizd does not answer. ${kept}` }
      : { text: "connecting", why: `vizd has not answered yet. ${kept}` };
  const since = useSince(failure === null ? null : `${capture.id} ${failure.text}`);
  if (failure === null) return <span class="live">● live</span>;
  return (
    <span class="away" title={failure.why}>
      ○ {failure.text}
      {since !== null && <span class="dim"> since {since}</span>}
    </span>
  );
}

/** Leads to what the report leaves out. */
export function ReportChip({ report }: { report: Report }) {
  const { place } = useApp();
  const { leftOut } = report;
  const hint =
    leftOut.length === 0 ? "All that the page shows of itself is in it." : `Not in it: ${leftOut.join("; ")}.`;
  return (
    <button
      class="link report-chip"
      title={`A report: this file alone, without a vizd. ${hint}`}
      onClick={() => place.goToView("info")}
    >
      report{leftOut.length > 0 && ", in part"}
    </button>
  );
}

/** The time of day when what is named began; null where it was so when the page was opened. */
function useSince(name: string | null): string | null {
  const began = useSignal<{ name: string | null; time: string | null } | null>(null);
  useEffect(() => {
    const time = began.peek() === null ? null : new Date().toLocaleTimeString(undefined, { timeStyle: "short" });
    began.value = { name, time };
  }, [name, began]);
  return began.value?.name === name ? began.value.time : null;
}
