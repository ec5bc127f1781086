// An instruction in which registers can be clicked: a click highlights the register everywhere.
import { cutOperands, type WireCode } from "./code";
import { useProgram } from "./context";

export function InstructionText({ code, index }: { code: WireCode; index: number }) {
  const program = useProgram();
  const register = program.register.value;
  const writes = code.instructions.writes[index]!;
  const choose = (event: MouseEvent, family: string) => {
    event.stopPropagation();
    program.look({ reg: family === register ? null : family });
  };
  return (
    <>
      <span class={`mnemonic kind-${code.instructions.kind[index]}`}>{code.instructions.mnemonic[index]}</span>
      <span class="operands">
        {cutOperands(code, index).map((piece) =>
          piece.family === "" ? (
            <span class={piece.inMemory ? "in-memory" : ""}>{piece.text}</span>
          ) : (
            <span
              class={`register ${piece.inMemory ? "in-memory" : ""} ${piece.family === register ? (writes.includes(piece.family) && !piece.inMemory ? "written" : "read") : ""}`}
              title={`${piece.family}: highlight it everywhere`}
              onClick={(event) => choose(event, piece.family)}
            >
              {piece.text}
            </span>
          ),
        )}
      </span>
    </>
  );
}
