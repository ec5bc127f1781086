// How a line of source is opened in an editor: each has a scheme of URLs that the system hands to it. A page looked at
// through a tunnel has its sources on another machine, which some editors reach by ssh.

export interface EditorChoice {
  /** One of kEditors, or "custom". */
  editor: string;
  /** The machine with the sources, as ssh knows it; "" is this one. */
  sshHost: string;
  /** The link of "custom": with {file} and {line}. */
  template: string;
}

export const kFirstEditor: EditorChoice = { editor: "vscode", sshHost: "", template: "" };

interface Editor {
  id: string;
  title: string;
  link: (file: string, line: number) => string;
  /** By ssh, where it can. */
  remote?: (host: string, file: string, line: number) => string;
}

/** Editors that are made of VS Code share its URLs. */
function likeCode(id: string, title: string): Editor {
  return {
    id,
    title,
    link: (file, line) => `${id}://file${file}:${line}`,
    remote: (host, file, line) => `${id}://vscode-remote/ssh-remote+${encodeURIComponent(host)}${file}:${line}`,
  };
}

/** JetBrains' editors share theirs. */
function likeIdea(id: string, title: string): Editor {
  return { id, title, link: (file, line) => `${id}://open?file=${file}&line=${line}` };
}

export const kEditors: readonly Editor[] = [
  likeCode("vscode", "VS Code"),
  likeCode("vscode-insiders", "VS Code Insiders"),
  likeCode("vscodium", "VSCodium"),
  likeCode("cursor", "Cursor"),
  likeCode("windsurf", "Windsurf"),
  likeIdea("idea", "IntelliJ IDEA"),
  likeIdea("pycharm", "PyCharm"),
  likeIdea("clion", "CLion"),
  {
    id: "zed",
    title: "Zed",
    link: (file, line) => `zed://file${file}:${line}`,
    remote: (host, file, line) => `zed://ssh/${encodeURIComponent(host)}${file}:${line}`,
  },
  { id: "subl", title: "Sublime Text", link: (file, line) => `subl://open?url=file://${file}&line=${line}` },
  { id: "txmt", title: "TextMate", link: (file, line) => `txmt://open?url=file://${file}&line=${line}` },
  { id: "emacs", title: "Emacs", link: (file, line) => `emacs://open?url=file://${file}&line=${line}` },
];

/** Null where the choice makes no link: a custom template that is none. */
export function formatEditorLink(choice: EditorChoice, file: string, line: number): string | null {
  const path = encodePath(file);
  if (choice.editor === "custom") return fillTemplate(choice, path, line);
  const editor = kEditors.find(({ id }) => id === choice.editor) ?? kEditors[0]!;
  const host = choice.sshHost.trim();
  return host !== "" && editor.remote !== undefined ? editor.remote(host, path, line) : editor.link(path, line);
}

export function reachesBySsh({ editor }: EditorChoice): boolean {
  return editor === "custom" || kEditors.some(({ id, remote }) => id === editor && remote !== undefined);
}

export function isTemplate(text: string): boolean {
  return /^(?!javascript:|data:|vbscript:|blob:)[a-z][a-z0-9+.-]*:/i.test(text.trim()) && text.includes("{file}");
}

function fillTemplate({ template, sshHost }: EditorChoice, path: string, line: number): string | null {
  if (!isTemplate(template)) return null;
  const values: Record<string, string> = { file: path, line: String(line), host: encodeURIComponent(sshHost.trim()) };
  return template.trim().replace(/\{(file|line|host)\}/g, (_, name: string) => values[name]!);
}

/** Absolute, with what a URL takes for something else encoded: a capture says what it likes for a name. */
function encodePath(file: string): string {
  const path = file.replaceAll("\\", "/");
  return (path.startsWith("/") ? path : `/${path}`).split("/").map(encodeURIComponent).join("/").replace(/%3A/gi, ":");
}

/** From what was stored: anything. */
export function readEditorChoice(stored: unknown): EditorChoice {
  const { editor, sshHost, template } = (stored ?? {}) as Partial<Record<keyof EditorChoice, unknown>>;
  const isKnown = editor === "custom" || kEditors.some(({ id }) => id === editor);
  return {
    editor: isKnown ? (editor as string) : kFirstEditor.editor,
    sshHost: typeof sshHost === "string" ? sshHost : "",
    template: typeof template === "string" ? template : "",
  };
}
