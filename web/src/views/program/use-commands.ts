// The keys that walk through a program: instructions, jumps, what was found, loops.
import { dataOf } from "../../state/fetched";
import { useApp, useCommand } from "../parts/app-context";
import { useProgram } from "./context";
import { hottestFirst } from "./costs";

export function useProgramCommands(): void {
  const { place } = useApp();
  const program = useProgram();
  const count = () => dataOf(program.code.value)?.instructions.address.length ?? 0;
  const choose = (i: number) => {
    if (i >= 0 && i < count()) program.look({ ins: String(i), line: null });
  };
  const hit = (by: 1 | -1) => {
    const hits = program.hits.value;
    const at = program.instruction.value ?? -1;
    const next = by > 0 ? hits.find((i) => i > at) : hits.findLast((i) => i < at);
    const around = by > 0 ? hits[0] : hits[hits.length - 1];
    if (hits.length > 0) choose(next ?? around!);
  };
  // From none on to the hottest, and around.
  const heat = (by: 1 | -1) => {
    const order = hottestFirst(program.costs.value);
    const at = order.indexOf(program.instruction.value ?? -1);
    if (order.length > 0) choose(order[at < 0 ? 0 : (at + by + order.length) % order.length]!);
  };
  useCommand("program.hotter", () => heat(1));
  useCommand("program.cooler", () => heat(-1));
  useCommand("program.next", () => choose((program.instruction.value ?? -1) + 1));
  useCommand("program.previous", () => choose((program.instruction.value ?? count()) - 1));
  useCommand("program.follow", () => {
    const at = program.instruction.value;
    choose(at === null ? -1 : (dataOf(program.code.value)?.instructions.target[at] ?? -1));
  });
  useCommand("program.nextHit", () => hit(1));
  useCommand("program.previousHit", () => hit(-1));
  useCommand("program.loop", () => {
    const loops = dataOf(program.code.value)?.loops.head.length ?? 0;
    const next = program.loop.value + 1;
    program.look({ loop: next < loops ? String(next) : "all" });
  });
  useCommand("page.clear", () => {
    const looked = ["ins", "line", "reg"] as const;
    if (looked.every((field) => place.key(field).value === undefined)) return false;
    program.look({ ins: null, line: null, reg: null });
    return true;
  });
}
