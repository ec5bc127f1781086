// The compiler's other choices for the chosen kernel: rules that matched more or less often than before.
import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { pathOfCapture } from "../../lib/api";
import { linkToRule } from "../../lib/links";
import { stripAnsi } from "../../lib/ansi";
import { formatCount } from "../../lib/text";
import { followWish } from "../../state/fetched";
import { AnsiText } from "../parts/ansi-text";
import { useApp } from "../parts/app-context";
import { Table, type Column } from "../parts/table";

interface WireChanges {
  a_context: number | null;
  b_context: number | null;
  rules: ChangedRule[];
}

interface ChangedRule {
  pass: string;
  file: string;
  line: number;
  a_matches: number;
  b_matches: number;
}

/** kernel: its name, with colours; other: the capture before. */
export function KernelRewrites({ kernel, other, onClose }: { kernel: string; other: string; onClose: () => void }) {
  const { api, session, place } = useApp();
  const fetched = useMemo(() => {
    const wish = computed(() => {
      const capture = session.capture.value;
      const query = `with=${encodeURIComponent(other)}&kernel=${encodeURIComponent(kernel)}`;
      return capture === null
        ? null
        : `${capture.revision} ${pathOfCapture(`/api/v1/compare-rewrites?${query}`, capture.id)}`;
    });
    return followWish(wish, (path, abort) => api.getJson<WireChanges>(path, abort));
  }, [api, session, kernel, other]);
  const { value, problem } = fetched.value;
  const columns: Column<ChangedRule>[] = [
    { id: "pass", title: "Pass", align: "left", show: (row) => <AnsiText text={row.pass} /> },
    {
      id: "rule",
      title: "Rule",
      align: "left",
      show: (row) => (
        <button class="link" onClick={() => place.follow(linkToRule([row.file, row.line, null]))}>
          {row.file.split("/").pop()}:{row.line}
        </button>
      ),
    },
    { id: "a", title: "A matches", show: (row) => formatCount(row.a_matches) },
    { id: "b", title: "B matches", show: (row) => formatCount(row.b_matches) },
    {
      id: "change",
      title: "Change",
      show: ({ a_matches, b_matches }) => `${b_matches > a_matches ? "+" : "−"}${Math.abs(b_matches - a_matches)}`,
    },
  ];
  return (
    <section class="kernel-rewrites">
      <h3>
        What the compiler did otherwise for {stripAnsi(kernel)}{" "}
        <button class="link" onClick={onClose}>
          close
        </button>
      </h3>
      {problem !== null ? (
        <p class="error">{problem.message}</p>
      ) : value === null ? (
        <p class="dim">Counting matches</p>
      ) : value.data.rules.length > 0 ? (
        <Table
          columns={columns}
          rows={value.data.rules}
          keyOf={({ pass, file, line }) => `${pass} ${file}:${line}`}
          label="Rules that matched otherwise"
        />
      ) : (
        <p class="dim">{sayNone(value.data)}</p>
      )}
    </section>
  );
}

function sayNone({ a_context, b_context }: WireChanges): string {
  if (a_context === null && b_context === null) return "Neither capture tells how it was made.";
  if (a_context === null) return "Only B tells how it was made.";
  return b_context === null ? "Only A tells how it was made." : "Nothing: all rules matched as often.";
}
