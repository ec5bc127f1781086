// How the page is bundled, for build.mjs, which writes it to disk, and pack.mjs, which writes it into the program: app.js
// with all views, app.css, first.js, and files that are taken as they are. All views are one file, because a round trip
// costs more than they weigh: over a link of 100 ms and 10 Mbit/s the first view stands after 1.0 to 1.7 s, and another
// one after 0.05 to 0.5 s; with a file for each view and for what they share it is 1.6 to 2.1 s and 0.35 to 1.3 s (with
// 200 ms and 2 Mbit/s: 1.6 to 2.7 against 2.6 to 2.9).
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export const web = new URL(".", import.meta.url);
export const asTheyAre = ["index.html", "icon.svg"];

// A view's style holds in that view alone, whatever others call their parts: `main` has the class view-NAME while the view
// NAME is shown. `:where` adds nothing to the weight of a selector. Animations have names of their own, outside.
const kKeyframes = /@keyframes [^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g;
const viewStyles = {
  name: "view-styles",
  setup(build) {
    build.onLoad({ filter: /\/src\/views\/.+\.css$/ }, async ({ path }) => {
      const [, view] = /\/src\/views\/([^/]+)\//.exec(path);
      const style = await readFile(path, "utf8");
      if (view === "parts") return { contents: style, loader: "css" };
      const animations = style.match(kKeyframes) ?? [];
      const contents = `${animations.join("\n")}\n:where(.view-${view}) {\n${style.replace(kKeyframes, "")}\n}`;
      return { contents, loader: "css" };
    });
  },
};

/** esbuild's options; dev: with source maps, and the code readable. */
export function bundleOptions(out, dev, plugins) {
  return {
    absWorkingDir: fileURLToPath(web),
    entryPoints: { app: "src/main.tsx", first: "src/first.ts" },
    outdir: fileURLToPath(out),
    bundle: true,
    format: "esm",
    target: "es2022",
    supported: { nesting: false }, // of style sheets: written out for browsers that do not know it
    jsx: "automatic",
    jsxImportSource: "preact",
    minify: !dev,
    sourcemap: dev ? "linked" : false,
    logLevel: "warning",
    plugins: [...plugins, viewStyles],
  };
}
