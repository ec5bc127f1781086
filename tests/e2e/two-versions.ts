// One program as two versions of a compiler made it, in captures of one name.
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Capture } from "./harness";

const top = process.env.VIZD_TOP ?? process.cwd();

export async function copyVersions({ folder }: Capture): Promise<string[]> {
  const folders = ["tinygrad-2025-09", "tinygrad-2026-08"].map((version) => join(folder, version));
  for (const to of folders) {
    await mkdir(to);
    const from = join(top, "tests/data", to.split("/").pop()!);
    for (const file of ["ramp.rewrites.pkl", "ramp.profile.pkl"]) await copyFile(join(from, file), join(to, file));
  }
  return folders;
}
