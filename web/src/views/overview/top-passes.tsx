// The compiler's passes with the most matches, where the capture has its rewrites too.
import { linkToPass } from "../../lib/links";
import { stripAnsi } from "../../lib/ansi";
import { listErrors, type RewriteError } from "../../lib/rewrite-errors";
import { formatCount, formatPlural } from "../../lib/text";
import type { WireContexts } from "../../lib/wire";
import { useApp } from "../parts/app-context";
import { Share } from "../parts/figure";
import { Name } from "../parts/name";
import { ShareBar } from "../parts/share-bar";
import { Table, type Column } from "../parts/table";
import { sumPasses, type PassSum } from "./pass-sums";

const kShown = 8;

export function TopPasses() {
  const { session, place } = useApp();
  const contexts = session.contexts.value;
  const capture = session.capture.value;
  if (contexts === null || capture === null || !capture.has_rewrites || capture.matches === 0) return null;
  // In an export each pass is one step, from graph to graph.
  if (capture.matches <= capture.passes) return null;
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
      namesOf: ({ name }) => [name],
      show: (row) => (
        <button class="link kernel-name" title="To where it matched most" onClick={() => follow(row)}>
          <Name name={row.name === "" ? "(unnamed)" : row.name} />
        </button>
      ),
    },
    { id: "matches", title: "Matches", show: (row) => formatCount(row.matches) },
    {
      id: "share",
      title: "% of matches",
      hint: "Of all matches of the capture",
      show: (row) => <Share of={row.matches / capture.matches} />,
    },
    { id: "contexts", title: "Contexts", show: (row) => formatCount(row.contexts) },
    { id: "bar", title: "", show: (row) => <ShareBar of={row.matches / capture.matches} /> },
  ];
  return (
    <section>
      <h3>
        Compiler{" "}
        <span class="of">
          {formatPlural(capture.matches, "match", "matches")} of rules in {formatPlural(capture.contexts, "context")}
        </span>
        <span class="ways">
          <button class="link" onClick={() => place.follow({ view: "rules", keys: {} })}>
            rules →
          </button>
        </span>
      </h3>
      <Table columns={columns} rows={passes.slice(0, kShown)} keyOf={({ name }) => name} label="Passes by matches" />
      <Raised errors={listErrors(contexts.contexts)} contexts={contexts} />
    </section>
  );
}

/** Rewrites that raised: how many, and the way to the first. */
function Raised({ errors, contexts }: { errors: readonly RewriteError[]; contexts: WireContexts }) {
  const { place } = useApp();
  const first = errors[0];
  if (first === undefined) return null;
  const context = contexts.contexts[first.context]!;
  const pass = stripAnsi(contexts.pass_names[context.passes.name[first.pass]!]!);
  const at = linkToPass(
    { index: first.context, name: stripAnsi(context.name) },
    { index: first.pass, name: pass },
    first.match,
  );
  return (
    <p>
      <button class="link error" title={first.message} onClick={() => place.follow(at)}>
        {formatPlural(errors.length, "rewrite")} raised
      </button>{" "}
      <span class="dim">
        the first in {stripAnsi(context.name)} › {pass}
      </span>
    </p>
  );
}
