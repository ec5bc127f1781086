// The chosen kernel: its figures and its longest launch; below it the roofline of its device.
import { formatRate, linkToWorst, nameDevice, nameKernel, type WireDevice, type WireKernel } from "../../lib/devices";
import { stripAnsi } from "../../lib/ansi";
import { formatBytes } from "../../lib/bytes";
import { scopeOfKernel } from "../../lib/scope";
import { formatCount, formatShare } from "../../lib/text";
import { useApp, useCommand } from "../parts/app-context";
import { CopyButton } from "../parts/copy-button";
import { Facts } from "../parts/facts";
import { Bytes, Duration, Figure } from "../parts/figure";
import { KeyCap } from "../parts/key-cap";
import { ScopeButton } from "../parts/scope-button";
import { Section } from "../parts/section";
import { Roofline } from "./roofline";
import type { KernelState } from "./state";

export function KernelSide({ kernels }: { kernels: KernelState }) {
  const row = kernels.list.chosen.value;
  const { devices, rows } = kernels.fetched.value.value!.data;
  const device = devices[row?.place ?? 0];
  return (
    <div class="kernel-side scroll" data-scrolls tabIndex={0}>
      {row === null ? (
        <p class="dim note">Choose a kernel to see its figures and its longest launch.</p>
      ) : (
        <Chosen row={row} kernels={kernels} />
      )}
      {device !== undefined && (
        <Section title="Roofline" note={device.name === "" ? nameDevice(device) : device.name}>
          <RooflineOf
            device={device}
            rows={rows.filter(({ place }) => place === (row?.place ?? 0))}
            kernels={kernels}
          />
        </Section>
      )}
    </div>
  );
}

function Chosen({ row, kernels }: { row: WireKernel; kernels: KernelState }) {
  const { place, chosen, session } = useApp();
  const name = nameKernel(row, kernels.rowsGroup.value);
  // The context that made it, where the capture has it.
  const contexts = session.contexts.value?.contexts ?? [];
  const context = contexts.findIndex((each) => each.program && stripAnsi(each.name) === stripAnsi(name));
  useCommand("kernels.rewrites", () => context >= 0 && chosen.goToPass(context, null));
  const scope = scopeOfKernel(row, kernels.rowsGroup.value);
  const facts: [string, preact.ComponentChildren][] = [
    ["device", nameDevice(row)],
    ["launches", <Figure key="n" text={formatCount(row.launches)} exact={row.launches} />],
    ["total", <Duration key="t" ns={row.total_ns} />],
    ["shortest", <Duration key="s" ns={row.min_ns} />],
    ["longest", <Duration key="l" ns={row.max_ns} />],
  ];
  if (row.work_from !== null) facts.push(["work known by", row.work_from]);
  if (row.known_of !== null) facts.push(["work known of", row.known_of]);
  if (row.by_time) facts.push(["operator told by time", `${row.by_time} launches`]);
  if (row.at_stake_ns !== null) facts.push(["at 80 % of its bound", <Saved key="a" ns={row.at_stake_ns} />]);
  if (row.flop !== null)
    facts.push(["arithmetic", <Figure key="f" text={formatRate(row.flop, "FLOP")} exact={row.flop} unit="FLOP" />]);
  if (row.attention !== null)
    facts.push(["attention", row.attention === "not told" ? "causal or not: not told" : row.attention]);
  if (row.flop_if_causal !== null) {
    const { flop_if_causal: flop } = row;
    facts.push(["if causal", <Figure key="c" text={formatRate(flop, "FLOP")} exact={flop} unit="FLOP" />]);
  }
  if (row.bytes !== null) facts.push(["memory", <Bytes key="b" bytes={row.bytes} />]);
  if (row.flop !== null && row.bytes !== null && row.bytes > 0 && row.flop_known === row.bytes_known) {
    const each = row.flop / row.bytes;
    facts.push(["intensity", <Figure key="i" text={`${each.toPrecision(3)} FLOP/B`} exact={each} unit="FLOP/B" />]);
  }
  if (row.precision !== null) facts.push(["computes in", row.precision]);
  if (row.bytes_copied !== null) facts.push(["copied", sayCopied(row)]);
  return (
    <Section title="Kernel" note={<CopyButton text={() => name} label="the name" />}>
      <p class="kernel-title">{name}</p>
      <Facts facts={facts} />
      <p>
        <button class="link" onClick={() => place.follow(linkToWorst(row))}>
          its longest launch on the timeline <KeyCap command="kernels.worst" />
        </button>
        {context >= 0 && (
          <>
            {" "}
            <button class="link" onClick={() => chosen.goToPass(context, null)}>
              its rewrites <KeyCap command="kernels.rewrites" />
            </button>
          </>
        )}
        {scope !== null && (
          <>
            {" "}
            <ScopeButton of="it" change={scope} /> <KeyCap command="kernels.scope" />
          </>
        )}
      </p>
    </Section>
  );
}

const Saved = ({ ns }: { ns: number }) => (
  <>
    saves <Duration ns={ns} />
  </>
);

/** "4 MB at 12 GB/s, pinned". */
function sayCopied({ bytes_copied, copied_per_s, host_memory }: WireKernel): string {
  const rate = copied_per_s === null ? "" : ` at ${formatRate(copied_per_s, "B/s")}`;
  return `${formatBytes(bytes_copied!)}${rate}${host_memory === null ? "" : `, ${host_memory}`}`;
}

function RooflineOf({
  device,
  rows,
  kernels,
}: {
  device: WireDevice;
  rows: readonly WireKernel[];
  kernels: KernelState;
}) {
  const known = rows.filter((row) => (row.bytes ?? 0) > 0 && row.bytes_per_s !== null);
  if (known.length === 0)
    return (
      <p class="dim note">Of no kernel arithmetic or memory is known: traces tell shapes where record_shapes is on.</p>
    );
  const known_ns = known.reduce((sum, { total_ns }) => sum + total_ns, 0);
  const all_ns = rows.reduce((sum, { total_ns }) => sum + total_ns, 0);
  return (
    <>
      {device.peak === null && (
        <p class="dim note">No peak is known of this device: start vizd with a file that tells them, --peaks FILE.</p>
      )}
      <Roofline
        device={device}
        rows={known}
        nameOf={(row) => nameKernel(row, kernels.rowsGroup.value)}
        chosen={kernels.list.chosen.value}
        onChoose={kernels.list.choose}
      />
      <p class="dim note">
        Of kernels with {formatShare(known_ns / Math.max(all_ns, 1))} of the time. What mostly moves memory, of which no
        arithmetic is counted, stands at the left edge, as far below the roof as its bytes are below the bandwidth.
      </p>
      {device.peak !== null && (
        <p class="dim note">
          {device.peak.name}: {device.peak.source}
        </p>
      )}
    </>
  );
}
