// The licences of what is shipped, for web/pack.mjs: of each part {name, version, licence, part, text}. The libraries are
// those of README.md's first table, with the text of Debian's copyright file of their package; the page's packages are
// those that the bundler found in it, each with its own text. Whatever lacks its text or its row fails the build.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";

const top = new URL("..", import.meta.url);
/** A text without the form feeds and carriage returns that some have for printers. */
const readText = async (path) => (await readFile(path, "utf8")).replace(/[\f\r]/g, "");
const kCommon = "/usr/share/common-licenses/";

/** The rows of the table under a heading of README.md, each as {column: text}. */
async function rowsUnder(heading) {
  const page = await readFile(new URL("README.md", import.meta.url), "utf8");
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  const cells = (line) => line.split("|").slice(1, -1).map((cell) => cell.trim());
  const [head, , ...rows] = section.split("\n").filter((line) => line.startsWith("|"));
  const columns = cells(head);
  return rows.map((row) => Object.fromEntries(cells(row).map((cell, i) => [columns[i], cell])));
}

/** The texts that a copyright file of Debian points to, as "/usr/share/common-licenses/Apache-2.0". */
async function commonTexts(copyright) {
  const named = copyright.match(/\/usr\/share\/common-licenses\/[A-Za-z0-9.-]*[A-Za-z0-9]/g) ?? [];
  const texts = [];
  for (const path of [...new Set(named)].sort()) texts.push(`\n---- ${path.slice(kCommon.length)} ----\n\n${await readText(path)}`);
  return texts.join("");
}

async function debianText(name) {
  const path = `/usr/share/doc/${name}/copyright`;
  if (!existsSync(path)) throw new Error(`${path} is not there: vizd ships ${name}, and cannot tell its licence`);
  const copyright = await readText(path);
  return `${copyright}${await commonTexts(copyright)}`;
}

const debianVersion = (name) => execFileSync("dpkg-query", ["-W", "-f=${Version}", name], { encoding: "utf8" });

export async function ownLicence() {
  const cmake = await readFile(new URL("CMakeLists.txt", top), "utf8");
  const [, version] = /^project\(vizd VERSION ([0-9.]+)/m.exec(cmake);
  const text = await readText(new URL("LICENSE", top));
  return { name: "vizd", version, licence: "MIT", part: "all", text };
}

export async function libraryLicences() {
  const rows = await rowsUnder("In the program");
  return Promise.all(
    rows.map(async ({ what, package: debian, licence }) => ({
      name: what,
      version: debianVersion(debian),
      licence,
      part: "program",
      text: await debianText(debian),
    })),
  );
}

export async function packageLicences(names) {
  const told = (await rowsUnder("In the page")).map((row) => row.what).sort();
  if (told.join() !== names.join())
    throw new Error(`the page holds ${names.join(", ")}; third_party/README.md tells of ${told.join(", ")}`);
  return Promise.all(
    names.map(async (name) => {
      const folder = new URL(`web/node_modules/${name}/`, top);
      const { version, license } = JSON.parse(await readFile(new URL("package.json", folder), "utf8"));
      const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
      if (file === undefined) throw new Error(`${name} is in the page, and has no text of its licence`);
      return { name, version, licence: license, part: "page", text: await readText(new URL(file, folder)) };
    }),
  );
}
