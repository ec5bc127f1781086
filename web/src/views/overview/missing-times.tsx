// Kernels that the capture knows of, and whose times it has not: which they are, and how to record their times.
import { stripAnsi } from "../../lib/ansi";
import { linkToProgram } from "../../lib/links";
import { formatCount, formatPlural } from "../../lib/text";
import type { WireContexts } from "../../lib/wire";
import { useApp } from "../parts/app-context";
import { Name } from "../parts/name";
import { ShareBar } from "../parts/share-bar";
import { Table, type Column } from "../parts/table";
import { Nothing } from "../parts/nothing";
import { listPrograms, type ProgramMatches } from "./programs";

const kShown = 10;

export function MissingTimes({ contexts }: { contexts: WireContexts }) {
  const programs = listPrograms(contexts);
  return (
    <section class="overview-lead">
      <h3>No times of kernels were recorded</h3>
      <p>
        The capture has {formatPlural(programs.length, "kernel")}, and for none of their launches a time: what the
        devices did is not known.
      </p>
      <p>
        <Nothing of="kernel_times" none="None of them was launched." isScoped={false} />
      </p>
    </section>
  );
}

/** The programs in the place of the kernels with the most time. */
export function CompiledKernels({ contexts }: { contexts: WireContexts }) {
  const { place } = useApp();
  const programs = listPrograms(contexts);
  const most = programs[0]?.matches ?? 0;
  const columns: Column<ProgramMatches>[] = [
    {
      id: "name",
      title: "Kernel",
      align: "left",
      isWide: true,
      namesOf: ({ name }) => [name],
      show: ({ index, name }) => (
        <button
          class="link kernel-name"
          title={`${stripAnsi(name)}: its program`}
          onClick={() => place.follow(linkToProgram({ index, name: stripAnsi(name) }))}
        >
          <Name name={name} />
        </button>
      ),
    },
    {
      id: "matches",
      title: "Rewrites",
      hint: "Matches of rules that made it",
      show: (row) => formatCount(row.matches),
    },
    { id: "bar", title: "", show: (row) => <ShareBar of={most === 0 ? 0 : row.matches / most} /> },
  ];
  return (
    <section>
      <h3>Kernels</h3>
      <Table
        columns={columns}
        rows={programs.slice(0, kShown)}
        keyOf={({ index }) => index}
        label="Kernels with the most rewrites"
      />
      {programs.length > kShown && (
        <p>
          <button class="link" onClick={() => place.follow({ view: "program", keys: {} })}>
            all {formatCount(programs.length)} programs
          </button>
        </p>
      )}
    </section>
  );
}
