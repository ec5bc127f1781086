// The SQL view: a query asked of the capture on screen, and of those that are chosen beside it.
import { useSignal } from "@preact/signals";
import { addCondition, conditionOfScope } from "../../lib/scope-sql";
import { formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Menu } from "../parts/menu";
import { SqlPage } from "../parts/sql/sql-page";
import type { SqlState } from "../parts/sql/state";
import type { OpenView } from "../view";
import { createCaptureSql, type AskedCaptures } from "./state";
import "./sql.css";

export const openSql: OpenView = (app) => {
  const { sql, asked } = createCaptureSql(app);
  return () => (
    <SqlPage sql={sql}>
      <ScopeCondition sql={sql} />
      <Captures asked={asked} />
      <span class="dim sql-zero" title="SQL's times are on the capture's own clock, the page's count from its start">
        ts − TRACE_START() is the page's time
      </span>
    </SqlPage>
  );
};

/** Takes the scope into the query: SQL asks of all else. */
function ScopeCondition({ sql }: { sql: SqlState }) {
  const { scope } = useApp();
  if (scope.parts.value.length === 0) return null;
  const add = () => (sql.text.value = addCondition(sql.text.peek(), conditionOfScope(scope.now.peek())));
  return (
    <button class="pill" title={`Adds the scope to the query's conditions: ${scope.text.value}`} onClick={add}>
      WHERE {scope.text.value}
    </button>
  );
}

/** The choice of the captures that are asked, where there are several. */
function Captures({ asked }: { asked: AskedCaptures }) {
  const open = useSignal(false);
  const others = asked.others.value;
  if (others.length === 0) return null;
  const names = asked.names.value;
  const chosen = others.filter(({ isAsked }) => isAsked).length;
  return (
    <span class="sql-asked">
      <span class="dim">asks</span>
      <Menu
        open={open}
        label={names.length === 1 ? names[0] : formatPlural(names.length, "capture")}
        title="Which captures are asked"
        isOn={names.length > 1}
      >
        <fieldset class="sql-captures">
          <legend class="dim">
            Asked as one, in this order: <code>capture.name</code> tells their rows apart, by <code>capture_id</code>
          </legend>
          <label>
            <input type="checkbox" checked disabled /> {names[0]} <span class="dim">on screen</span>
          </label>
          {others.map(({ name, isAsked }) => (
            <label key={name}>
              <input type="checkbox" checked={isAsked} onChange={() => asked.turn(name)} /> {name}
            </label>
          ))}
          <button onClick={() => asked.turnAll(chosen < others.length)}>
            {chosen < others.length ? "All" : "This one alone"}
          </button>
        </fieldset>
      </Menu>
      {names.length > 1 && (
        <span class="dim sql-names" title={names.join("\n")}>
          {names.join(", ")}
        </span>
      )}
    </span>
  );
}
