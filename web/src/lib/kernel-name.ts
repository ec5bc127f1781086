// The names of kernels as lists show them. A C++ signature hides what tells a kernel apart behind what all of them have:
// the type of the result, parameters, namespaces, how arrays are handed over. That is folded. Of a list, no two different
// names look the same: where they would, as much is left as tells them apart. The terminal's tables do the same
// (server/cli/command_line/short_names.cpp); tests/data/kernel-names.tsv holds the two to one another.

/** Arguments of templates that only carry a kernel's operands. */
const kCarriers = new Set([
  "Array",
  "array",
  "TensorListMetadata",
  "TensorListScalarListMetadata",
  "TrivialOffsetCalculator",
  "OffsetCalculator",
  "LoadWithoutCast",
  "LoadWithCast",
  "StoreWithoutCast",
  "StoreWithCast",
]);

/** How much of a name is shown: the first that tells it from its neighbours. */
const kForms = [foldMost, foldSome, dropFrame, (name: string) => name];

/** Each name's text. */
export function shortenNames(names: Iterable<string>): Map<string, string> {
  const texts = new Map<string, string>();
  let alike: Iterable<string> = new Set(names);
  for (const form of kForms) {
    for (const name of alike) texts.set(name, form(name));
    alike = listAlike(texts);
  }
  return texts;
}

/** The text of a name by itself. */
export const shortenName = foldMost;

/** The names whose text another has too. */
function listAlike(texts: ReadonlyMap<string, string>): string[] {
  const namesOf = new Map<string, string[]>();
  for (const [name, text] of texts) namesOf.set(text, [...(namesOf.get(text) ?? []), name]);
  return [...namesOf.values()].filter((names) => names.length > 1).flat();
}

function foldMost(name: string): string {
  return isSignature(name) ? foldType(callee(name), true) : name;
}

function foldSome(name: string): string {
  return isSignature(name) ? foldType(callee(name), false) : name;
}

function dropFrame(name: string): string {
  return isSignature(name) ? callee(name) : name;
}

/** Longer, and more deeply nested, names are left alone: no compiler writes them. */
const kLongest = 8192;
const kDeepest = 32;

/** A function as C++ spells it. Others keep their names: "aten::add", "Memcpy HtoD (Pageable -> Device)". */
function isSignature(name: string): boolean {
  if (name.length > kLongest) return false;
  return !name.includes("\u001b") && (name.startsWith("void ") || /\w<.*>|[\w>]\(.*(::|[*&<]).*\)/.test(name));
}

/** Without the type of the result before it, and the parameters after it. */
function callee(name: string): string {
  const text = name.replace(/ \[clone [^\]]*\]$/, "");
  const { spaces, parts } = scan(text);
  const last = parts.at(-1);
  const end = last?.open === "(" && last.to === text.length ? last.from : text.length;
  const start = spaces.filter((at) => at < end && !text.startsWith("operator ", at - 8)).at(-1) ?? -1;
  return end > start + 1 ? text.slice(start + 1, end) : text;
}

/** `isShort`: without what only carries operands, and what is nested in a function or type: its lambdas, its members. */
function foldType(type: string, isShort: boolean, depth = 0): string {
  if (depth > kDeepest) return type;
  const text = type.trim().replace(/^\([\w: ]+\)(?=-?\w)/, ""); // a value of an enumeration: (cub::Algorithm)3
  const names = splitAt(text, "::");
  const isNamed = (name: string) => !/^(\{|\(|operator\(\)|type\b|value\b)/.test(name);
  const last = Math.max(names.findLastIndex(isNamed), 0);
  const first = names.findIndex((name) => isNamed(name) && /[<(]/.test(name));
  const kept =
    isShort || first < 0 ? [names[last]!] : names.slice(first).filter((name) => !/^operator\(\)\(/.test(name));
  return kept.map((name) => foldArguments(name, isShort, depth)).join("::");
}

/** Folds "f<int, ns::T>(int) const" to "f<int, T>". */
function foldArguments(name: string, isShort: boolean, depth: number): string {
  if (name.startsWith("{")) return name;
  let folded = "";
  let from = 0;
  for (const part of scan(name).parts) {
    if (part.open === "<") {
      const inner = name.slice(part.from + 1, part.isClosed ? part.to - 1 : part.to);
      const list = splitAt(inner, ",").map((argument) => foldType(argument, isShort, depth + 1));
      folded += `${name.slice(from, part.from)}<${isShort ? joinTelling(list) : list.join(", ")}${part.isClosed ? ">" : ""}`;
      from = part.to;
    } else if (part.open === "(" && /[\w>]$/.test(name.slice(0, part.from)) && !name.endsWith("operator", part.from)) {
      // The parameters of a function that a lambda stands in.
      folded += name.slice(from, part.from);
      from = part.to;
      if (name.startsWith(" const", from)) from += " const".length;
    }
  }
  return folded + name.slice(from);
}

/** The arguments that tell something; dots in the place of others. */
function joinTelling(list: readonly string[]): string {
  let text = "";
  for (const argument of list) {
    if (kCarriers.has(/^\w*/.exec(argument)![0])) text += text.endsWith("…") ? "" : "…";
    else text += text === "" ? argument : `, ${argument}`;
  }
  return text;
}

interface Part {
  open: string;
  from: number;
  to: number;
  isClosed: boolean;
}

/** Whether the "<" there begins a template's arguments: not the name of an operator, nor a comparison. */
function opensArguments(text: string, at: number): boolean {
  return text.endsWith("operator()", at) || (/\w/.test(text[at - 1] ?? "") && !text.endsWith("operator", at));
}

/** The outermost brackets of a text, and the spaces and colons outside of any. */
function scan(text: string): { parts: Part[]; spaces: number[]; outside: number[] } {
  const parts: Part[] = [];
  const spaces: number[] = [];
  const outside: number[] = [];
  const open: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text[at]!;
    const before = text[at - 1] ?? " ";
    const isOpening = c === "<" ? opensArguments(text, at) : "({[".includes(c);
    const isClosing = c === ">" ? open.at(-1) === "<" && before !== "-" : ")}]".includes(c) && open.length > 0;
    if (isOpening) {
      if (open.length === 0) from = at;
      open.push(c);
    } else if (isClosing) {
      if (c !== ">") while (open.at(-1) === "<") open.pop(); // a comparison, not a template
      open.pop();
      if (open.length === 0) parts.push({ open: text[from]!, from, to: at + 1, isClosed: true });
    } else if (open.length === 0) {
      (c === " " ? spaces : outside).push(at);
    }
  }
  // A name that was cut off where it was recorded.
  if (open.length > 0) parts.push({ open: text[from]!, from, to: text.length, isClosed: false });
  return { parts, spaces, outside };
}

function splitAt(text: string, separator: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const at of scan(text).outside) {
    if (at < from || !text.startsWith(separator, at)) continue;
    pieces.push(text.slice(from, at).trim());
    from = at + separator.length;
  }
  return [...pieces, text.slice(from).trim()];
}
