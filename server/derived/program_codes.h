// ProgramCodes: the machine code of programs, made when it is first asked for: read from the capture's binary, or
// compiled from its source where the user allowed that. Keeps the last few; two compilers run at once, not more. Any
// thread; waits for the tools.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include "derived/derived.h"
#include "disasm/compile.h"
#include "disasm/control_flow.h"
#include "disasm/instruction.h"
#include "disasm/machine_analysis.h"
#include "disasm/object_file.h"
#include "disasm/toolchain.h"
#include "session/loaded_capture.h"

namespace vizd {

// One program's code, or why there is none. Never changes once made.
struct ProgramCode {
  enum class Origin { kNone, kCapture, kCompiled } origin = Origin::kNone;
  SourceLanguage language = SourceLanguage::kOther;
  std::string command;  // the compiler's, where it was asked
  Disassembly code;     // no instructions: see error
  ControlFlow flow;
  std::optional<Error> error;
  bool may_compile = false;   // it was started with --compile
  std::vector<Tool> missing;  // what is not installed and would show more

  std::size_t memory_bytes() const;  // about
};

class ProgramCodes {
 public:
  ProgramCodes(const CompileOptions& options, Toolchain tools);

  // `program` is a place in the capture's Rewrites::programs.
  Derived::Ticket<ProgramCode> get(const std::shared_ptr<const LoadedCapture>& loaded, std::uint32_t program);

  // Analyses a part of the code: instructions first to first + count.
  Result<MachineAnalysis> analyse(const ProgramCode& code, std::uint32_t first, std::uint32_t count,
                                  std::string_view cpu);
  // As the reference has it, of the whole (machine_analysis.h).
  Result<std::string> reference_analysis(const ProgramCode& code);

  // Ends every wait, so that the server can stop, and what children leave behind.
  void end();

 private:
  std::shared_ptr<const ProgramCode> make(const Capture& capture, const Program& program);
  Result<Disassembly> disassemble_bytes(std::string_view bytes, Architecture raw_architecture, ProgramCode& code) const;
  // As GPUs' recorders or its compiler tell which of AMD's families it is of; nothing where none does.
  static std::optional<Result<Disassembly>> disassemble_recorded(const Capture& capture, const Program& program);
  Result<Disassembly> disassemble_fully(const ObjectFile& object, ProgramCode& code) const;

  const bool may_compile_;
  const Toolchain tools_;
  const Result<Compiler> compiler_;
  std::counting_semaphore<> tool_turns_{2};
  // Compilers that are running are not ended: what they make serves the next who asks. Last: it uses all of the above.
  Derived made_{{.threads = 2, .most_bytes = std::size_t{128} << 20, .finishes = true}};
};

}  // namespace vizd
