// The captures that a query is asked of: the one on screen, and those that the URL names beside it.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import type { App } from "../../state/app";
import { createSql, type SqlState, type Way } from "../parts/sql/state";
import { linkOfRow, nameOfLink } from "./row-link";
import type { WireAnswer } from "./wire";

export interface AskedCaptures {
  /** The names of all that are asked, in the order of capture.id; the one on screen first. */
  names: ReadonlySignal<string[]>;
  /** Captures that could be queried together with it. */
  others: ReadonlySignal<{ name: string; isAsked: boolean }[]>;
  turn(name: string): void;
  turnAll(isAsked: boolean): void;
}

/** As the key `sqlwith` has them: all, or the names, between commas. */
const kAll = "*";
const kFirstQuery =
  "SELECT name, count(*) AS slices, sum(dur) AS total_ns\nFROM slice\nGROUP BY name\nORDER BY total_ns DESC\nLIMIT 50";

export function createCaptureSql(app: App): { sql: SqlState; asked: AskedCaptures } {
  const { session, place } = app;
  const withKey = place.key("sqlwith");
  const isAsked = (name: string) =>
    withKey.value === kAll || (withKey.value ?? "").split(",").includes(encodeURIComponent(name));
  const others = computed(() =>
    (session.info.value?.captures ?? [])
      .filter((one) => one.id !== session.capture.value?.id && (one.has_rewrites || one.has_profile))
      .map((one) => ({ id: one.id, name: one.name, revision: one.revision, isAsked: isAsked(one.name) })),
  );
  const beside = computed(() => others.value.filter((one) => one.isAsked));
  const choose = (names: string[]) =>
    place.adjust({
      sqlwith:
        names.length === 0
          ? null
          : names.length === others.peek().length
            ? kAll
            : names.map((name) => encodeURIComponent(name)).join(","),
    });

  function wayOf(answer: WireAnswer, row: number): Way | null {
    const wire = answer.links[row] ?? null;
    const born = answer.columns.indexOf("born");
    const link = linkOfRow(wire, born < 0 ? null : (answer.rows[row]![born] ?? null));
    if (link === null) return null;
    const of = session.info.value?.captures.find(({ id }) => id === wire!.capture);
    return {
      to: of === undefined ? nameOfLink(wire!) : `${nameOfLink(wire!)} of ${of.name}`,
      go() {
        if (of === undefined || of.id === session.capture.peek()?.id) return place.follow(link);
        const keys = Object.entries(link.keys).filter((entry): entry is [string, string] => entry[1] !== null);
        place.goTo({ view: link.view, capture: of.name, keys: Object.fromEntries(keys) });
      },
    };
  }

  const sql = createSql<WireAnswer>(app, {
    key: "sql",
    link: () => ({ view: "sql", keys: {} }),
    isShown: computed(() => place.view.value === "sql"),
    schemaPath: computed(() => "/api/v1/sql/schema"),
    path: computed(() => {
      const capture = session.capture.value;
      if (capture === null) return null;
      const path = pathOfCapture("/api/v1/sql", capture.id);
      return beside.value.length === 0 ? path : `${path}&with=${beside.value.map(({ id }) => id).join(",")}`;
    }),
    mark: computed(() => {
      const capture = session.capture.value;
      return `${capture?.revision} ${beside.value.map(({ revision }) => revision).join(" ")}`;
    }),
    firstQuery: () => kFirstQuery,
    wayOf,
  });
  return {
    sql,
    asked: {
      names: computed(() => [session.capture.value?.name ?? "", ...beside.value.map(({ name }) => name)]),
      others,
      turn(name) {
        const was = others.peek();
        choose(was.filter((one) => (one.name === name ? !one.isAsked : one.isAsked)).map((one) => one.name));
      },
      turnAll: (all) => choose(all ? others.peek().map(({ name }) => name) : []),
    },
  };
}
