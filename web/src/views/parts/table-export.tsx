// Takes a table away: to the clipboard, or as a file.
import { useSignal } from "@preact/signals";
import { nameFile } from "../../lib/file-name";
import { formatTable, type TextColumn } from "../../lib/table-text";
import { useCommand } from "./app-context";
import { useCopy } from "./copy-button";
import { Menu } from "./menu";
import { saveText } from "./save-file";

interface TableExportProps<Row> {
  columns: readonly TextColumn<Row>[];
  rows: readonly Row[];
  /** The table's content: the file is called so. */
  name: string;
}

export function TableExport<Row>({ columns, rows, name }: TableExportProps<Row>) {
  const open = useSignal(false);
  useCommand("page.export", () => (open.value = true));
  const csv = () => formatTable("csv", columns, rows);
  const markdown = () => formatTable("markdown", columns, rows);
  const save = (suffix: string, type: string, text: string) => {
    open.value = false;
    saveText(`${nameFile(name)}.${suffix}`, type, text);
  };
  return (
    <Menu open={open} label="Export" title={`Export the table: ${name}`}>
      <div class="menu-actions">
        <CopyItem label="Copy as CSV" text={csv} />
        <CopyItem label="Copy as Markdown" text={markdown} />
        <CopyItem label="Copy for a spreadsheet" text={() => formatTable("tsv", columns, rows)} />
        <button onClick={() => save("csv", "text/csv", csv())}>Save as CSV</button>
        <button onClick={() => save("md", "text/markdown", markdown())}>Save as Markdown</button>
      </div>
    </Menu>
  );
}

function CopyItem({ label, text }: { label: string; text: () => string }) {
  const { said, copy } = useCopy(text);
  return <button onClick={copy}>{said ?? label}</button>;
}
