// The compiler's passes with the most matches, where the capture has its rewrites too.
import { linkToPass } from "../../lib/links";
import { stripAnsi } from "../../lib/ansi";
import { formatCount, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { AnsiText } from "../parts/ansi-text";
import { Share } from "../parts/figure";
import { Table, type Column } from "../parts/table";
import { sumPasses, type PassSum } from "./pass-sums";

const kShown = 8;

export function TopPasses() {
  const { session, place } = useApp();
  const contexts = session.contexts.value;
  const capture = session.capture.value;
  if (contexts === null || capture === null || !capture.has_rewrites || capture.matches === 0) return null;
  const passes = sumPasses(contexts);
  const follow = ({ most }: PassSum) => {
    const context = contexts.contexts[most.context]!;
    const name = contexts.pass_names[context.passes.name[most.pass]!]!;
    place.follow(
      linkToPass({ index: most.context, name: stripAnsi(context.name) }, { index: most.pass, name: stripAnsi(name) }),
    );
  };
  const columns: Column<PassSum>[] = [
    {
      id: "name",
      title: "Pass",
      align: "left",
      isWide: true,
      show: (row) => (
        <button class="link kernel-name" title="To where it matched most" onClick={() => follow(row)}>
          <AnsiText text={row.name === "" ? "(unnamed)" : row.name} />
        </button>
      ),
    },
    { id: "matches", title: "Matches", show: (row) => formatCount(row.matches) },
    { id: "share", title: "Share", show: (row) => <Share of={row.matches / capture.matches} /> },
    { id: "contexts", title: "Contexts", show: (row) => formatCount(row.contexts) },
  ];
  return (
    <section>
      <h3>The compiler's passes</h3>
      <p class="dim">
        {formatPlural(capture.matches, "match", "matches")} of rules in {formatPlural(capture.contexts, "context")}
      </p>
      <Table columns={columns} rows={passes.slice(0, kShown)} keyOf={({ name }) => name} label="Passes by matches" />
    </section>
  );
}
