// Bundles the page into build/web (bundle.mjs says of what): for `vizd --dev`, and for a vizd in its own build folder, so
// that the tests see a change of the page without a link. Every other vizd serves what pack.mjs has put into it.
//   node build.mjs [--dev] [--watch]
// --dev adds source maps and leaves the code readable; --watch rebuilds as the sources change.
import { copyFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import * as esbuild from "esbuild";
import { asTheyAre, bundleOptions, web } from "./bundle.mjs";

const out = new URL("../build/web/", web);
const watch = process.argv.includes("--watch");
const dev = watch || process.argv.includes("--dev");

const copyStatic = {
  name: "copy-static",
  setup(build) {
    build.onEnd(async () => {
      for (const file of asTheyAre) await copyFile(new URL(file, web), new URL(file, out));
    });
  },
};
const options = bundleOptions(out, dev, [copyStatic]);

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
