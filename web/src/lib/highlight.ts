// Cuts source text into pieces by what they are, enough to read kernels and rules more easily: comments, strings,
// numbers, keywords. It knows words, not grammars.

export type Language = "c" | "python" | "plain";
export type TokenKind = "comment" | "string" | "number" | "keyword" | "plain";

export interface Token {
  text: string;
  kind: TokenKind;
}

const kKeywords: Record<Language, string> = {
  c: "auto|bool|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|half|if|inline|int|kernel|long|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|__attribute__|__global__|__kernel|__device__|__shared__|device|threadgroup|constant|global|local",
  python:
    "and|as|assert|class|def|del|elif|else|False|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield",
  plain: "",
};

const kComments: Record<Language, string> = { c: "//[^\\n]*|/\\*[^]*?(?:\\*/|$)", python: "#[^\\n]*", plain: "(?!)" };

const patterns = new Map<Language, RegExp>();

function patternOf(language: Language): RegExp {
  let pattern = patterns.get(language);
  if (pattern === undefined) {
    const strings = `"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*'`;
    pattern = new RegExp(
      `(${kComments[language]})|(${strings})|(\\b\\d[\\w.]*)|(\\b(?:${kKeywords[language]})\\b)`,
      "g",
    );
    patterns.set(language, pattern);
  }
  return pattern;
}

export function tokenise(text: string, language: Language): Token[] {
  if (language === "plain") return [{ text, kind: "plain" }];
  const tokens: Token[] = [];
  let from = 0;
  for (const match of text.matchAll(patternOf(language))) {
    if (match.index > from) tokens.push({ text: text.slice(from, match.index), kind: "plain" });
    const kind =
      match[1] !== undefined
        ? "comment"
        : match[2] !== undefined
          ? "string"
          : match[3] !== undefined
            ? "number"
            : "keyword";
    tokens.push({ text: match[0], kind });
    from = match.index + match[0].length;
  }
  if (from < text.length) tokens.push({ text: text.slice(from), kind: "plain" });
  return tokens;
}

/** The server's name of a program's language, as one that is known here. */
export function languageOf(name: string): Language {
  if (["c", "cuda", "metal", "opencl", "hip", "wgsl"].includes(name)) return "c";
  return name === "python" ? "python" : "plain";
}

/** Cuts text into pieces of so many lines; each keeps its line ends, so that together they are the text. */
export function cutIntoChunks(text: string, linesPerChunk: number): { text: string; lines: number }[] {
  const chunks: { text: string; lines: number }[] = [];
  let from = 0;
  while (from < text.length) {
    let lines = 0;
    let to = from;
    while (lines < linesPerChunk && to < text.length) {
      const end = text.indexOf("\n", to);
      to = end < 0 ? text.length : end + 1;
      lines++;
    }
    chunks.push({ text: text.slice(from, to), lines });
    from = to;
  }
  return chunks;
}
