// The command lines that tell in a terminal what is on screen: words as a shell takes them, the scope as commands take
// it, files as they are found from any folder.
import type { Scope } from "./scope";
import type { CaptureInfo } from "./wire";

/** As a shell takes it for one word. */
export function shellWord(word: string): string {
  return /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

export const joinWords = (words: readonly string[]): string => words.map(shellWord).join(" ");

/** The options of commands about devices that narrow them to a scope. */
export function optionsOfScope({ step, rank, device, range, kernel }: Scope): string[] {
  return [
    ...(step === null ? [] : ["--step", String(step)]),
    ...(rank === null ? [] : ["--rank", rank]),
    ...(device === null ? [] : ["--device", device]),
    ...(range === null ? [] : ["--from", String(Math.round(range.from)), "--until", String(Math.round(range.to))]),
    ...(kernel === null ? [] : ["--kernel", kernel]),
  ];
}

/** The paths of a capture's files, from wherever the command is run. folder: where the server runs. */
export function pathsOf(capture: CaptureInfo, folder: string): string[] {
  return capture.files.map(({ path }) => (path.startsWith("/") || folder === "" ? path : `${folder}/${path}`));
}

/** As SQL has a text. */
export const sqlText = (text: string): string => `'${text.replace(/'/g, "''")}'`;
