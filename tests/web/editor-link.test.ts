// Links to lines of source, for each editor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatEditorLink, isTemplate, kEditors, readEditorChoice } from "../../web/src/lib/editor-link";

const link = (editor: string, sshHost = "", template = "") =>
  formatEditorLink({ editor, sshHost, template }, "/a b/rule.py", 7);

test("each editor has a link of its own, over ssh where it can", () => {
  assert.equal(link("vscode"), "vscode://file/a%20b/rule.py:7");
  assert.equal(link("vscode", "me@box"), "vscode://vscode-remote/ssh-remote+me%40box/a%20b/rule.py:7");
  assert.equal(link("idea", "box"), "idea://open?file=/a%20b/rule.py&line=7");
  assert.equal(link("zed", "box"), "zed://ssh/box/a%20b/rule.py:7");
  assert.equal(new Set(kEditors.map(({ id }) => link(id))).size, kEditors.length);
});

test("a capture's file name stays a name", () => {
  const hostile = formatEditorLink({ editor: "idea", sshHost: "", template: "" }, "x?y&line=1#z", 3);
  assert.equal(hostile, "idea://open?file=/x%3Fy%26line%3D1%23z&line=3");
});

test("a template is filled in, but is never a script", () => {
  assert.equal(link("custom", "box", "my://{host}{file}?l={line}"), "my://box/a%20b/rule.py?l=7");
  for (const bad of [
    "javascript:alert({file})",
    " JavaScript:{file}",
    "data:text/html,{file}",
    "no scheme {file}",
    "x:y",
  ])
    assert.equal(link("custom", "", bad), null, bad);
  assert.ok(isTemplate("https://code.example/{file}#L{line}"));
});

test("what was stored may be anything", () => {
  const first = { editor: "vscode", sshHost: "", template: "" };
  for (const stored of [undefined, null, 3, [], { editor: "rm -rf", sshHost: 4 }])
    assert.deepEqual(readEditorChoice(stored), first);
  assert.equal(readEditorChoice({ editor: "custom", template: "a:{file}" }).template, "a:{file}");
});
