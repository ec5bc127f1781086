// A number that can be copied: a click takes its exact value, which the tooltip shows.
import { formatBytes } from "../../lib/bytes";
import { formatDuration, formatShare } from "../../lib/text";
import { formatMoment } from "../../lib/time";
import { useCopy } from "./copy-button";

interface FigureProps {
  /** As it is read: "1.70 s". */
  text: string;
  /** As it is copied: "1703123456". */
  exact: string | number;
  unit?: string;
}

export function Figure({ text, exact, unit }: FigureProps) {
  const { said, copy } = useCopy(() => String(exact));
  const title = `${exact}${unit === undefined ? "" : ` ${unit}`} · ${said ?? "click copies"}`;
  return (
    <button class={`figure ${said ?? ""}`} title={title} onClick={copy}>
      {text}
    </button>
  );
}

/** ps: beyond the nanoseconds, where they are known. */
export function Duration({ ns, ps = 0 }: { ns: number; ps?: number }) {
  const exact = ps === 0 ? Math.round(ns) : ns + ps / 1000;
  return <Figure text={formatDuration(ns, ps)} exact={exact} unit="ns" />;
}

export function Moment({ ns }: { ns: number }) {
  return <Figure text={formatMoment(ns)} exact={Math.round(ns)} unit="ns" />;
}

export function Bytes({ bytes }: { bytes: number }) {
  return <Figure text={formatBytes(bytes)} exact={bytes} unit="bytes" />;
}

export function Share({ of }: { of: number }) {
  return <Figure text={formatShare(of)} exact={Number(of.toPrecision(6))} />;
}
