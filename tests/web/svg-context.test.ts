// A drawing as SVG: what was drawn, and nothing that a label could add to it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SvgContext } from "../../web/src/draw/svg-context";

const measure = () => ({ width: 10 }) as TextMetrics;
const box = { x: -5, y: 0, w: 100, h: 50 };

test("shapes keep their place, colour, width and dashes", () => {
  const svg = new SvgContext(measure);
  svg.fillStyle = "#123456";
  svg.fillRect(1, 2.345, 3, 4);
  svg.beginPath();
  svg.moveTo(0, 0);
  svg.lineTo(10, 0);
  svg.bezierCurveTo(1, 2, 3, 4, 5, 6);
  svg.strokeStyle = "#abcdef";
  svg.lineWidth = 2;
  svg.globalAlpha = 0.5;
  svg.setLineDash([4, 2]);
  svg.stroke();
  const text = svg.toSvg(box, "#000", "t");
  assert.match(text, /viewBox="-5 0 100 50"/);
  assert.match(text, /<rect x="1" y="2.35" width="3" height="4" fill="#123456"\/>/);
  assert.match(
    text,
    /<path d="M0 0L10 0C1 2 3 4 5 6" fill="none" stroke="#abcdef" stroke-width="2" stroke-dasharray="4 2" opacity="0.5"\/>/,
  );
});

test("a round rectangle closes where it began", () => {
  const svg = new SvgContext(measure);
  svg.beginPath();
  svg.roundRect(10, 20, 30, 40, 3);
  svg.fill();
  const [, d] = /d="([^"]*)"/.exec(svg.toSvg(box, "#000", ""))!;
  let [x, y] = [0, 0];
  for (const [, command, numbers] of d!.matchAll(/([Mhvaz])([^Mhvaz]*)/g)) {
    const values = numbers!.trim().split(" ").map(Number);
    if (command === "M") [x, y] = [values[0]!, values[1]!];
    if (command === "h") x += values[0]!;
    if (command === "v") y += values[0]!;
    if (command === "a") [x, y] = [x + values[5]!, y + values[6]!];
  }
  assert.deepEqual([x, y], [13, 20]);
});

test("labels are text, whatever they hold", () => {
  const svg = new SvgContext(measure);
  svg.font = 'bold 12.5px Mono, "Other"';
  svg.fillText('<script>&"\u0000', 1, 2);
  const text = svg.toSvg(box, "#000", "</title><script>");
  assert.ok(!text.includes("<script"));
  assert.match(text, /font-family="Mono, &quot;Other&quot;" font-size="12.5" font-weight="bold"/);
  assert.match(text, /&lt;script&gt;&amp;&quot;\ufffd</);
  assert.ok(!text.includes("style="));
});
