// Bundles the page into build/web: index.html, first.js, app.js with all views, app.css, icon.svg. The server reads
// that folder at its start. All views are one file: together they are smaller on the wire than a round trip to another
// continent is long, and asking for a view's code when it is opened would cost such a trip.
//   node build.mjs [--dev] [--watch]
// --dev adds source maps and leaves the code readable; --watch rebuilds as the sources change.
import { copyFile, mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const web = new URL(".", import.meta.url);
const out = new URL("../build/web/", web);
const watch = process.argv.includes("--watch");
const dev = watch || process.argv.includes("--dev");

const copyStatic = {
  name: "copy-static",
  setup(build) {
    build.onEnd(async () => {
      for (const file of ["index.html", "icon.svg"]) await copyFile(new URL(file, web), new URL(file, out));
    });
  },
};

// A view's style is part of its code: what a view imports as a style sheet is one of the document's once the view is
// loaded.
const viewStyles = {
  name: "view-styles",
  setup(build) {
    build.onLoad({ filter: /\/src\/views\/.+\.css$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(await readFile(path, "utf8"), { loader: "css", minify: !dev });
      const contents = `const sheet = new CSSStyleSheet();
sheet.replaceSync(${JSON.stringify(code)});
document.adoptedStyleSheets.push(sheet);`;
      return { contents, loader: "js" };
    });
  },
};

const options = {
  absWorkingDir: fileURLToPath(web),
  entryPoints: { app: "src/main.tsx", first: "src/first.ts" },
  outdir: fileURLToPath(out),
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: !dev,
  sourcemap: dev ? "linked" : false,
  logLevel: "warning",
  plugins: [copyStatic, viewStyles],
};

await rm(out, { recursive: true, force: true }); // files of earlier builds
await mkdir(out, { recursive: true });
if (watch) {
  const context = await esbuild.context({ ...options, logLevel: "info" });
  await context.watch();
} else {
  await esbuild.build(options);
  const files = (await readdir(out)).sort();
  const sizes = await Promise.all(files.map(async (file) => `${file} ${(await stat(new URL(file, out))).size} B`));
  console.log(`page: ${sizes.join(", ")}`);
}
