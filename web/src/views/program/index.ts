// Program: the source and machine code that a context made, or a library brought.
import type { View } from "../view";
import { sqlText } from "../../lib/command-line";
import { linkToProgram, linkToProgramAlone } from "../../lib/links";
import { formatNamedIndex } from "../../lib/named-index";
import { commands } from "./commands";
import { nameAlone, shownContext } from "./program-choice";
import { openProgram } from "./program";

export const program: View = {
  id: "program",
  title: "Program",
  words: "assembly disassembly source machine code",
  suits: (capture) => capture.programs > 0,
  commands,
  listDefaults: (app) => {
    const keys: Record<string, string> = {};
    const [alone, context] = [nameAlone(app), shownContext(app)];
    if (alone !== null) keys.program = formatNamedIndex(alone);
    else if (context !== null) keys.context = formatNamedIndex(app.chosen.nameContext(context));
    return keys;
  },
  sayWhere: (app) => {
    const context = shownContext(app);
    return nameAlone(app)?.name ?? (context === null ? "" : app.chosen.nameContext(context).name);
  },
  listPlaces: ({ session, chosen, place }) => {
    const { contexts = [], programs = [] } = session.contexts.value ?? {};
    const made = contexts.flatMap(({ name, program: isMade }, context) =>
      isMade ? [{ title: name, link: linkToProgram(chosen.nameContext(context)) }] : [],
    );
    const others = programs.map(({ program: index, name }) => ({
      title: name,
      link: linkToProgramAlone({ index, name }),
    }));
    return [...made, ...others].map(({ title, link }) => ({ title, detail: "program", run: () => place.follow(link) }));
  },
  asCommand: (app) => {
    const context = shownContext(app);
    const name = nameAlone(app)?.name ?? (context === null ? null : app.chosen.nameContext(context).name);
    if (name === null) return null;
    return { words: ["sql", `SELECT name, device, source FROM program WHERE name = ${sqlText(name)}`, "--json"] };
  },
  urlKeys: {
    program: "ofContext",
    at: "ofContext",
    loop: "ofContext",
    ins: "ofContext",
    line: "ofContext",
    reg: "ofContext",
    heat: "ofContext",
    heatvs: "ofContext",
    panel: "kept",
    text: "ofLink",
    programs: "kept",
    cpu: "kept",
    code: "kept",
    with: "kept",
  },
  open: openProgram,
};
