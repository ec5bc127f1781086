// Groups of boxes that are too far away to be named one by one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { groupNodes, sayGroup } from "../../web/src/lib/graph/groups";
import type { PassLayout } from "../../web/src/lib/graph/pass-layout";
import type { PassModel } from "../../web/src/lib/graph/pass-model";

const kinds = ["LOAD", "ADD", "MUL", "CAST", "INDEX"].map((name) => ({ name, colour: "#ffffff", body: 0 }));
/** Boxes in rows of a hundred; of each hundred sixty are LOADs. */
const nodes = Array.from({ length: 1000 }, (_, i) => i);
const kindOf = (node: number) => kinds[node % 10 < 6 ? 0 : 1 + (node % 4)]!;
const layout = {
  width: 100 * 150,
  height: 10 * 60,
  x: nodes.map((node) => (node % 100) * 150),
  y: nodes.map((node) => Math.floor(node / 100) * 60),
  w: nodes.map(() => 120),
  h: nodes.map(() => 40),
} as unknown as PassLayout;
const model = { kindAt: kindOf } as unknown as PassModel;

test("every box is in one group, at every zoom, and what is said of a group adds up to it", () => {
  for (const zoom of [0.4, 0.2, 0.05, 0.01]) {
    const groups = groupNodes(nodes, layout, model, 0, zoom);
    assert.equal(
      groups.reduce((sum, { count }) => sum + count, 0),
      nodes.length,
    );
    for (const group of groups) {
      const said = sayGroup(group).map(({ text }) => text);
      const counts = said.map((text) => Number(/×(\d+)$/.exec(text)?.[1] ?? /^and (\d+) more$/.exec(text)?.[1] ?? 1));
      assert.equal(
        counts.reduce((sum, n) => sum + n, 0),
        group.count,
        said.join(),
      );
      assert.ok(said.length <= 3);
    }
  }
});

test("groups are the same while the zoom changes a little, and fewer from farther away", () => {
  const keys = (zoom: number) =>
    groupNodes(nodes, layout, model, 0, zoom).map(({ bounds, count }) => `${bounds.left} ${bounds.top} ${count}`);
  assert.deepEqual(keys(0.2), keys(0.21));
  assert.ok(keys(0.05).length < keys(0.2).length);
});

test("the most frequent op comes first", () => {
  const [group] = groupNodes(nodes, layout, model, 0, 0.001);
  assert.equal(group!.kinds[0]!.kind.name, "LOAD");
  assert.equal(sayGroup(group!)[0]!.text, "LOAD ×600");
});
