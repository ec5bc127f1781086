// A capture on one page: its files, how much there is of everything, what was left out and why, its facts.
import type { ComponentChildren } from "preact";
import { formatBytes } from "../../lib/bytes";
import { pathOfCapture } from "../../lib/api";
import { formatCount } from "../../lib/text";
import type { Report } from "../../lib/report";
import type { CaptureInfo } from "../../lib/wire";
import { computed } from "@preact/signals";
import { followWish, type Fetched } from "../../state/fetched";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Facts } from "../parts/facts";
import { Figure } from "../parts/figure";
import type { OpenView } from "../view";
import { valueText, type WireFacts } from "./facts";
import "./info.css";

export const openInfo: OpenView = ({ api, session }) => {
  const wish = computed(() => {
    const capture = session.capture.value;
    return capture === null ? null : `${capture.revision} ${pathOfCapture("/api/v1/facts", capture.id)}`;
  });
  const facts = followWish(wish, (path, abort) => api.getJson<WireFacts>(path, abort));
  return () => <Info facts={facts.value} report={api.report} />;
};

function Info({ facts, report }: { facts: Fetched<WireFacts>; report: Report | undefined }) {
  const capture = useApp().session.capture.value;
  if (capture === null) return <Blank title="No capture is open" />;
  return (
    <div class="info" data-scrolls tabIndex={0}>
      <h2>{capture.name}</h2>
      {report !== undefined && <AboutReport report={report} />}
      <Part title="Files">
        <Facts facts={capture.files.map((file) => [file.role, <File key={file.path} file={file} />] as const)} />
      </Part>
      <Part title="What there is">
        <Facts
          facts={[
            ["format", capture.format],
            ...listCounts(capture).map(([name, n]) => [name, <Count n={n} />] as const),
          ]}
        />
      </Part>
      <LeftOut capture={capture} />
      <FactList facts={facts} />
    </div>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function AboutReport({ report: { version, leftOut } }: { report: Report }) {
  return (
    <Part title="This report">
      <p>
        vizd {version} wrote it with what the page shows of the whole capture. Questions of your own are answered by
        vizd alone: SQL, searches for events and nodes, sums of a time that you choose, parts of graphs. It opens the
        files below.
      </p>
      {leftOut.length > 0 && <p>A report may only be so large. Not in it:</p>}
      {leftOut.length > 0 && (
        <ul>
          {leftOut.map((what) => (
            <li key={what}>{what}</li>
          ))}
        </ul>
      )}
    </Part>
  );
}

const Count = ({ n }: { n: number }) => <Figure text={formatCount(n)} exact={n} />;

function File({ file: { path, size_bytes, status, error } }: { file: CaptureInfo["files"][number] }) {
  return (
    <>
      <code>{path}</code> <span class="dim">{status === "ready" ? formatBytes(size_bytes) : status}</span>
      {error !== null && <p class="removed">{error}</p>}
    </>
  );
}

function listCounts(capture: CaptureInfo): (readonly [string, number])[] {
  const { contexts, passes, matches, events, allocations } = capture;
  return Object.entries({ contexts, passes, matches, events, allocations }).filter(([, n]) => n > 0);
}

/** Records left out, by reason, and warnings. */
function LeftOut({ capture: { skipped, warnings } }: { capture: CaptureInfo }) {
  const reasons = Object.entries(skipped);
  if (reasons.length + warnings.length === 0) return null;
  return (
    <Part title="Left out">
      <Facts facts={reasons.map(([reason, n]) => [reason, <Count n={n} />] as const)} />
      {warnings.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </Part>
  );
}

/** By what they are of. */
function FactList({ facts: { value, problem } }: { facts: Fetched<WireFacts> }) {
  if (problem !== null) return <p class="removed">{problem.message}</p>;
  const facts = value?.data.facts ?? [];
  const subjects = [...new Set(facts.map((fact) => fact.subject))];
  return (
    <>
      {subjects.map((subject) => (
        <Part key={subject} title={subject === "" ? "The capture says" : subject}>
          <Facts
            facts={facts
              .filter((fact) => fact.subject === subject)
              .map((fact) => [fact.name, <span class="mono">{valueText(fact)}</span>] as const)}
          />
        </Part>
      ))}
    </>
  );
}
