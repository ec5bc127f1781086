// SQL as a view has it: questions and tables at the right, the editor over the answer.
import type { ComponentChildren } from "preact";
import { useCommand } from "../app-context";
import { KeyCap } from "../key-cap";
import { Section } from "../section";
import { Split } from "../split";
import { Editor } from "./editor";
import { SqlResult } from "./result";
import type { SqlState } from "./state";
import "./sql.css";

/** children: says who is asked, beside the button. */
export function SqlPage({ sql, children }: { sql: SqlState; children?: ComponentChildren }) {
  useCommand("sql.run", () => sql.run());
  useCommand("sql.cancel", () => sql.cancel());
  return (
    <Split
      left={null}
      leftLabel=""
      middle={
        <div class="sql">
          <Editor sql={sql} />
          <div class="sql-bar">
            {sql.isRunning.value ? (
              <button class="pill" onClick={() => sql.cancel()}>
                Cancel
              </button>
            ) : (
              <button class="pill on" onClick={() => sql.run()}>
                Run
              </button>
            )}
            <KeyCap command="sql.run" />
            {sql.isRunning.value && (
              <span class="dim" role="status">
                Asking…
              </span>
            )}
            {children}
          </div>
          <SqlResult sql={sql} />
        </div>
      }
      right={<Reference sql={sql} />}
      rightLabel="questions and tables"
    />
  );
}

/** The questions to ask, and the tables to ask about. */
function Reference({ sql }: { sql: SqlState }) {
  const schema = sql.schema.value;
  if (schema === null) return null;
  return (
    <div class="scroll sql-reference" data-scrolls tabIndex={0}>
      <Section title="Questions">
        <ul class="sql-questions">
          {schema.examples.map(({ question, query }) => (
            <li key={question}>
              <button
                class={query === sql.query.value ? "link current" : "link"}
                aria-current={query === sql.query.value ? "true" : undefined}
                onClick={() => sql.run(query)}
              >
                {question}
              </button>
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Tables">
        {schema.tables.map((table) => (
          <details key={table.name} class="sql-table">
            <summary>
              <code>{table.name}</code> <span class="dim">{table.about}</span>
            </summary>
            <dl>
              {table.columns.map((column) => (
                <div key={column.name}>
                  <dt>{column.name}</dt>
                  <dd>{column.about}</dd>
                </div>
              ))}
            </dl>
            <button class="link" onClick={() => sql.run(`SELECT *\nFROM ${table.name}\nLIMIT 100`)}>
              First 100 rows
            </button>
          </details>
        ))}
      </Section>
      <Section title="Functions">
        <dl>
          {schema.functions.map(({ call, about }) => (
            <div key={call}>
              <dt>{call}</dt>
              <dd>{about}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  );
}
