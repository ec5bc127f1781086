// Bundles the page into build/web: index.html, app.js, app.css, icon.svg. The server reads that folder at its start.
//   node build.mjs [--dev] [--watch]
// --dev adds source maps and leaves the code readable; --watch rebuilds as the sources change.
import { copyFile, mkdir, stat } from "node:fs/promises";
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

const options = {
  absWorkingDir: fileURLToPath(web),
  entryPoints: { app: "src/main.tsx" },
  outdir: fileURLToPath(out),
  bundle: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: !dev,
  sourcemap: dev ? "linked" : false,
  logLevel: "warning",
  plugins: [copyStatic],
};

await mkdir(out, { recursive: true });
if (watch) {
  const context = await esbuild.context({ ...options, logLevel: "info" });
  await context.watch();
} else {
  await esbuild.build(options);
  const sizes = await Promise.all(
    ["app.js", "app.css"].map(async (f) => `${f} ${(await stat(new URL(f, out))).size} B`),
  );
  console.log(`page: ${sizes.join(", ")}`);
}
