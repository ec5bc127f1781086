// The head of the overview: its few figures, each a link, and what the capture is of.
import { formatDuration, formatPlural } from "../../lib/text";
import type { CaptureInfo } from "../../lib/wire";
import type { WireDevices } from "../../lib/devices";
import { useApp } from "../parts/app-context";
import type { HeadFigure } from "./headline";
import { linkToInfo } from "./ways";

interface HeadProps {
  capture: CaptureInfo;
  devices: WireDevices;
  figures: readonly HeadFigure[];
  recorded_ns: number;
}

export function Head({ capture, devices, figures, recorded_ns }: HeadProps) {
  const { place } = useApp();
  return (
    <header class="overview-head">
      <h2 class="sr-only">{capture.name}</h2>
      <ul class="overview-figures" aria-label="Figures">
        {figures.map(({ title, text, of, hint, link }) => (
          <li key={title}>
            <span class="figure-title">{title}</span>
            <button class="link" title={hint} onClick={() => place.follow(link)}>
              <strong>{text}</strong> <span class="of">{of}</span>
            </button>
          </li>
        ))}
      </ul>
      <p class="dim overview-about">
        {describeDevices(devices)}
        <br />
        {recorded_ns > 0 && `${formatDuration(recorded_ns)} recorded, ${formatPlural(capture.events, "event")}`}
        {capture.warnings.length > 0 && (
          <>
            {" · "}
            <button class="link marker" onClick={() => place.follow(linkToInfo)}>
              {formatPlural(capture.warnings.length, "warning")}
            </button>
          </>
        )}
      </p>
    </header>
  );
}

/** "8 × H100 80GB HBM3, 8 ranks, 24 steps". */
function describeDevices({ devices, steps }: WireDevices): string {
  const counts = new Map<string, number>();
  for (const { name, device } of devices) {
    const known = name !== "" ? name : typeof device === "number" ? "GPU" : String(device ?? "device");
    counts.set(known, (counts.get(known) ?? 0) + 1);
  }
  const parts = [...counts].map(([name, count]) => (count === 1 ? name : `${count} × ${name}`));
  const ranks = new Set(devices.map(({ rank }) => rank)).size;
  if (ranks > 1) parts.push(formatPlural(ranks, "rank"));
  if (steps.length > 0) parts.push(formatPlural(new Set(steps.map(({ number }) => number)).size, "step"));
  return parts.join(" · ");
}
