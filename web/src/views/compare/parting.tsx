// Where the compiler began to do otherwise for the open kernel: the first pass and match that differ, with links into
// both captures; then the rules that matched more or less often than before.
import { stripAnsi } from "../../lib/ansi";
import { linkToPass, linkToPrograms, linkToRule } from "../../lib/links";
import type { NamedIndex } from "../../lib/named-index";
import type { Link } from "../../lib/place";
import { formatCount } from "../../lib/text";
import { AnsiText } from "../parts/ansi-text";
import { useApp, useCommand } from "../parts/app-context";
import { KeyCap } from "../parts/key-cap";
import { Section } from "../parts/section";
import { Table, type Column } from "../parts/table";
import type { CompareState } from "./state";
import type { ChangedRule, FirstDifference, WireParting } from "./wire";

export function Parting({ state }: { state: CompareState }) {
  const { wish, value, problem } = state.parting.value;
  if (wish === null) return null;
  return (
    <Section title="What the compiler did differently">
      {problem !== null ? (
        <p class="error">{problem.message}</p>
      ) : value === null ? (
        <p class="dim">Comparing the rewrites</p>
      ) : (
        <div class={value.wish === wish ? "" : "stale"}>
          <Found state={state} data={value.data} />
        </div>
      )}
    </Section>
  );
}

function Found({ state, data }: { state: CompareState; data: WireParting }) {
  const { place } = useApp();
  const { before, after } = state.pair.value!;
  const [a, b] = [contextOf(data.a_context, data.a_name), contextOf(data.b_context, data.b_name)];
  if (a === null || b === null) {
    const known = a ?? b;
    if (known === null) return <p class="dim">Neither capture tells how it was made.</p>;
    const capture = a === null ? after.name : before.name;
    return (
      <p>
        Only {a === null ? "B" : "A"} tells how it was made:{" "}
        <button class="link" onClick={() => place.follow({ ...linkToPass(known, null), capture })}>
          its rewrites
        </button>
      </p>
    );
  }
  const programs = linkToPrograms(b, { capture: before.name, context: a });
  return (
    <>
      {data.inputs_differ === true && <OtherInput data={data} />}
      <First
        first={data.first ?? null}
        isSame={data.inputs_differ !== true}
        sides={[
          { title: "A", capture: before.name, context: a },
          { title: "B", capture: after.name, context: b },
        ]}
      />
      <p>
        <button class="link" onClick={() => place.follow({ ...programs, capture: after.name })}>
          Source and machine code side by side
        </button>
      </p>
      {data.rules.length > 0 && <Rules rules={data.rules} />}
    </>
  );
}

const contextOf = (index: number | null, name: string | null): NamedIndex | null =>
  index === null ? null : { index, name: stripAnsi(name ?? "") };

function OtherInput({ data }: { data: WireParting }) {
  return (
    <>
      <p>
        The compiler was given another graph, so graphs differ from the start; below, passes and rules are compared.
      </p>
      <Diff summary="The graphs that it was given" lines={data.input_diff ?? []} of={data.input_diff_lines ?? 0} />
    </>
  );
}

interface Side {
  title: "A" | "B";
  capture: string;
  context: NamedIndex;
}

function First({ first, isSame, sides }: { first: FirstDifference | null; isSame: boolean; sides: Side[] }) {
  const { place } = useApp();
  const links = sides.map(({ title, capture, context }): Link | null => {
    const pass = first?.[title === "A" ? "a" : "b"].pass ?? null;
    if (first === null || pass === null) return null;
    return { ...linkToPass(context, { index: first.pass, name: stripAnsi(pass) }, first.match), capture };
  });
  useCommand("compare.part", () => {
    const link = links[1] ?? links[0];
    if (link) place.follow(link);
  });
  if (first === null)
    return (
      <p class="dim">{isSame ? "Nothing: all matches are the same." : "The same rules matched, in the same order."}</p>
    );
  return (
    <>
      <p>{sayFirst(first)}</p>
      <ul class="parted">
        {sides.map(({ title }, at) => {
          const { pass, rule } = first[title === "A" ? "a" : "b"];
          const link = links[at];
          return (
            <li key={title}>
              <strong>{title}</strong>{" "}
              {link ? (
                <button class="link" onClick={() => place.follow(link)}>
                  <AnsiText text={pass!} />
                  {first.match === 0 ? "" : `, match ${formatCount(first.match)}`}
                </button>
              ) : (
                <span class="dim">no pass there</span>
              )}{" "}
              {at === 1 && link && <KeyCap command="compare.part" />}{" "}
              {rule === null ? (
                first.match > 0 && pass !== null && <span class="dim">no further match</span>
              ) : (
                <code title={rule.join(":")}>{nameOfRule(rule[0], rule[1])}</code>
              )}
            </li>
          );
        })}
      </ul>
      <Diff summary="The difference there" lines={first.diff} of={first.diff_lines} />
    </>
  );
}

function sayFirst({ kind, match }: FirstDifference): string {
  const place = `match ${formatCount(match)}`;
  switch (kind) {
    case "pass":
      return "The first difference: another pass follows.";
    case "input":
      return "The first difference: the pass begins with another graph, though all matches before are the same.";
    case "rule":
      return `The first difference: another rule matched, ${place}.`;
    case "result":
      return `The first difference: the same rule matched otherwise, ${place}.`;
    case "length":
      return `The first difference: only one side has ${place}.`;
  }
}

const nameOfRule = (file: string, line: number) => `${file.split("/").pop()}:${line}`;

function Diff({ summary, lines, of }: { summary: string; lines: readonly string[]; of: number }) {
  // The first two lines name the files, which there are none of.
  const shown = lines.slice(2).map((line) => line.replace(/\n$/, ""));
  if (shown.length === 0) return null;
  return (
    <details class="parted-diff">
      <summary>{summary}</summary>
      <pre tabIndex={0}>{stripAnsi(shown.join("\n"))}</pre>
      {of > lines.length && <p class="dim">and {formatCount(of - lines.length)} more lines</p>}
    </details>
  );
}

function Rules({ rules }: { rules: readonly ChangedRule[] }) {
  const { place } = useApp();
  const columns: Column<ChangedRule>[] = [
    { id: "pass", title: "Pass", align: "left", show: (row) => <AnsiText text={row.pass} /> },
    {
      id: "rule",
      title: "Rule",
      align: "left",
      show: (row) => (
        <button
          class="link"
          title={`${row.file}:${row.line}`}
          onClick={() => place.follow(linkToRule([row.file, row.line, null]))}
        >
          {nameOfRule(row.file, row.line)}
        </button>
      ),
    },
    { id: "a", title: "A matches", show: (row) => formatCount(row.a_matches) },
    { id: "b", title: "B matches", show: (row) => formatCount(row.b_matches) },
  ];
  return (
    <details>
      <summary>{formatCount(rules.length)} rules matched more or less often</summary>
      <Table
        columns={columns}
        rows={rules}
        keyOf={({ pass, file, line }) => `${pass} ${file}:${line}`}
        label="Rules that matched otherwise"
      />
    </details>
  );
}
