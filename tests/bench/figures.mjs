// Figures that benches measure: a name, a number and a unit. Where VIZD_FIGURES names a file, each is added to it as a
// line. scripts/bench keeps them in figures.tsv, so that a loss is seen in the diff, or compares two programs by them:
// node figures.mjs keep MEASURED KEPT COMMIT
// node figures.mjs compare MEASURED OTHER: medians, and the first's by the second's
// node figures.mjs worse MEASURED OTHER: only those that are worse by more than a tenth; fails if there is one
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const kDigits = 4;
const kWorse = 1.1;

export function figure(name, value, unit) {
  const file = process.env.VIZD_FIGURES;
  if (file) appendFileSync(file, `${name}\t${Number(value.toPrecision(kDigits))}\t${unit}\n`);
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The rows of a file of figures, each with its cells. */
function rowsOf(file) {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
}

/** By name and unit, what was measured. */
function measured(file) {
  const figures = new Map();
  for (const [name, value, unit] of rowsOf(file)) {
    const key = `${name}\t${unit}`;
    figures.set(key, [...(figures.get(key) ?? []), Number(value)]);
  }
  return figures;
}

function keep(from, file, commit) {
  const kept = new Map();
  for (const [name, unit, ...rest] of existsSync(file) ? rowsOf(file) : []) kept.set(`${name}\t${unit}`, rest);
  for (const [key, values] of measured(from)) kept.set(key, [median(values), commit, cpus().length]);
  const lines = [...kept].map(([key, rest]) => [key, ...rest].join("\t")).toSorted();
  writeFileSync(file, ["# figure\tunit\tvalue\tcommit\tcores", ...lines, ""].join("\n"));
}

/** Returns, for each figure of the first file, its name, unit, median, the other file's median, and their ratio. */
function pairs(file, other) {
  const others = measured(other);
  return [...measured(file)].map(([key, values]) => {
    const [name, unit] = key.split("\t");
    const [value, before] = [median(values), median(others.get(key) ?? [NaN])];
    return { name, unit, value, before, ratio: value / before };
  });
}

function show(rows) {
  for (const { name, unit, value, before, ratio } of rows) {
    const figures = `${value.toPrecision(kDigits)} ${unit}, was ${before.toPrecision(kDigits)}`;
    console.log(`${name.padEnd(56)} ${figures.padEnd(32)} ${ratio.toFixed(3)}`);
  }
}

/** A rate is better the higher it is, everything else the lower. */
const isWorse = ({ unit, ratio }) => (unit.endsWith("/s") ? 1 / ratio : ratio) > kWorse;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [what, ...args] = process.argv.slice(2);
  if (what === "keep") keep(...args);
  else if (what === "compare") show(pairs(...args));
  else {
    const worse = pairs(...args).filter(isWorse);
    show(worse);
    process.exitCode = worse.length > 0 ? 1 : 0;
  }
}
