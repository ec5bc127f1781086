// Packs what the program carries into sources that its build compiles: node pack.mjs FOLDER writes FOLDER/page.cpp, the
// bundled page, FOLDER/licences.cpp, the licence of everything that is shipped, and FOLDER/demo.cpp, the captures of
// `vizd demo`. base/embedded.h has what they define. The same sources give the same bytes, wherever they lie.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";
import * as esbuild from "esbuild";
import { libraryLicences, ownLicence, packageLicences } from "../third_party/licences.mjs";
import { asTheyAre, bundleOptions, web } from "./bundle.mjs";

const kBytesOfALine = 32;

/** Captures of the tests that `vizd demo` writes too, by the folder in which it does. A path ends in "/" or begins files. */
const kDemo = {
  compiler: "golden/native/written_by_cpp/input/",
  executorch: "golden/etdump/delegate_int/input/",
  memory: "golden/torch_memory/train/input/",
  tinygrad: "data/tinygrad-2025-09/ramp.",
  tpu: "golden/bigtpu/two_cores/input/",
};

/** A C++ source that defines the constant `name`: all files behind one another, packed by zlib. */
function packed(name, files) {
  const bytes = deflateSync(Buffer.concat(files.map((file) => file.contents)), { level: 9 });
  const lines = [];
  for (let at = 0; at < bytes.length; at += kBytesOfALine)
    lines.push([...bytes.subarray(at, at + kBytesOfALine)].join());
  const entries = files.map((file) => `    {"${file.name}", ${file.contents.length}},`);
  return `// Written by web/pack.mjs.
#include "base/embedded.h"

namespace vizd {
namespace {

constexpr EmbeddedFile kFiles[] = {
${entries.join("\n")}
};
constexpr unsigned char kPacked[] = {
${lines.join(",\n")}};

}  // namespace

const EmbeddedFiles ${name}{kFiles, kPacked};

}  // namespace vizd
`;
}

/** The files of a capture, as FOLDER/NAME. */
async function demoFiles([folder, from]) {
  const path = new URL(`../tests/${from}`, web);
  const [inside, beginning] = [new URL(".", path), basename(`${path.pathname}x`).slice(0, -1)];
  const names = (await readdir(inside)).filter((name) => name.startsWith(beginning));
  return Promise.all(
    names.map(async (name) => ({ name: `${folder}/${name}`, contents: await readFile(new URL(name, inside)) })),
  );
}

const byName = (a, b) => (a.name < b.name ? -1 : 1);

const out = pathToFileURL(`${resolve(process.argv[2])}/`);
const bundle = await esbuild.build({ ...bundleOptions(out, false, []), write: false, metafile: true });
const page = bundle.outputFiles.map(({ path, contents }) => ({ name: basename(path), contents }));
for (const name of asTheyAre) page.push({ name, contents: await readFile(new URL(name, web)) });

// Finds the packages that the modules in the bundle belong to.
const modules = Object.keys(bundle.metafile.inputs).map(
  (path) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1],
);
const packages = [...new Set(modules.filter((name) => name !== undefined))].sort();
const licences = [await ownLicence(), ...(await libraryLicences()), ...(await packageLicences(packages))];

await mkdir(out, { recursive: true });
await writeFile(new URL("page.cpp", out), packed("kEmbeddedPage", page.sort(byName)));
const listed = [{ name: "licences.json", contents: Buffer.from(JSON.stringify(licences)) }];
await writeFile(new URL("licences.cpp", out), packed("kEmbeddedLicences", listed));
const demo = (await Promise.all(Object.entries(kDemo).map(demoFiles))).flat();
await writeFile(new URL("demo.cpp", out), packed("kEmbeddedDemo", demo.sort(byName)));
