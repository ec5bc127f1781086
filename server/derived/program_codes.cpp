#include "derived/program_codes.h"

#include <fmt/core.h>

#include <span>

#include "base/log.h"
#include "derived/recorded_program.h"
#include "disasm/amd/disassembly.h"
#include "disasm/disassemble.h"
#include "disasm/foreign_disassembly.h"
#include "disasm/object_file.h"
#include "disasm/undecoded.h"

namespace vizd {
namespace {

// While it lives, one of the turns to run a tool is taken.
class Turn {
 public:
  explicit Turn(std::counting_semaphore<>& turns) : turns_(turns) { turns_.acquire(); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { turns_.release(); }

 private:
  std::counting_semaphore<>& turns_;
};

}  // namespace

std::size_t ProgramCode::memory_bytes() const {
  // An instruction has half a dozen small strings and lists of its own.
  constexpr std::size_t kInstructionBytes = 2 * sizeof(Instruction);
  return sizeof(ProgramCode) + command.size() + code.instructions.size() * kInstructionBytes;
}

ProgramCodes::ProgramCodes(const CompileOptions& options, Toolchain tools)
    : may_compile_(options.enabled), tools_(std::move(tools)), compiler_(Compiler::find(options, tools_)) {
  if (may_compile_ && !compiler_) log(LogLevel::kWarning, "{}", compiler_.error().message);
}

void ProgramCodes::end() {
  made_.end();
  tools_.children().end();
}

Derived::Ticket<ProgramCode> ProgramCodes::get(const std::shared_ptr<const LoadedCapture>& loaded,
                                               std::uint32_t program) {
  const auto make_code = [this, loaded, program](const ReportProgress&,
                                                 std::stop_token) -> Result<std::shared_ptr<const ProgramCode>> {
    return make(loaded->capture, loaded->capture.rewrites.programs[program]);
  };
  return made_.get<ProgramCode>(loaded, std::to_string(program), make_code);
}

// raw_architecture: of bytes that are code and nothing else.
Result<Disassembly> ProgramCodes::disassemble_bytes(std::string_view bytes, Architecture raw_architecture,
                                                    ProgramCode& code) const {
  const auto binary = std::as_bytes(std::span(bytes.data(), bytes.size()));
  const auto object = read_object(binary, raw_architecture);
  if (!object) return object.error();
  if (can_disassemble(object->architecture)) return disassemble_fully(*object, code);
  const Tool tool = disassembler_of(object->architecture);
  if (object->architecture != Architecture::kUnknown && !tools_.has(tool)) code.missing.push_back(tool);
  auto result = disassemble_with_tools(tools_, object->architecture, binary);
  if (result && object->architecture != Architecture::kNvidia) add_lines(result->instructions, object->lines);
  return result;
}

std::optional<Result<Disassembly>> ProgramCodes::disassemble_recorded(const Capture& capture, const Program& program) {
  const RecordedProgram recorded(capture, program);
  const std::string_view binary = capture.strings.get(program.binary);
  if (!recorded.code_family()) return std::nullopt;
  const auto listing = recorded.listing();
  if (!listing) return listing.error();
  Disassembly made = amd::disassembly_of(*listing);
  // What tinygrad's own assembler writes is no whole object file, and has no lines.
  const auto object = read_object(std::as_bytes(std::span(binary.data(), binary.size())), Architecture::kUnknown);
  if (object) add_lines(made.instructions, object->lines);
  return made;
}

// By capstone; where it does not know all instructions, by llvm-objdump too.
Result<Disassembly> ProgramCodes::disassemble_fully(const ObjectFile& object, ProgramCode& code) const {
  auto known = disassemble(object);
  if (!known || !has_undecoded(*known)) return known;
  if (!tools_.has(Tool::kLlvmObjdump)) {
    code.missing.push_back(Tool::kLlvmObjdump);
    return known;
  }
  const auto others = decode_with_objdump(tools_, object);
  if (!others) {
    log(LogLevel::kWarning, "{}", others.error().text());
    return known;
  }
  known = disassemble(object, *others);
  known->tool += " and llvm-objdump";
  return known;
}

std::shared_ptr<const ProgramCode> ProgramCodes::make(const Capture& capture, const Program& program) {
  auto code = std::make_shared<ProgramCode>();
  const std::string_view source = capture.strings.get(program.source);
  const std::string_view binary = capture.strings.get(program.binary);
  code->language = language_of(capture.strings.get(program.device), source);
  code->may_compile = may_compile_;
  const Turn turn(tool_turns_);
  Result<Disassembly> result = Error{};
  if (!binary.empty()) {
    code->origin = ProgramCode::Origin::kCapture;
    // A CPU's programs are of the machine that recorded them, which is most likely one like this.
    const bool is_cpu = code->language != SourceLanguage::kOther;
    auto recorded = disassemble_recorded(capture, program);
    result = recorded ? *std::move(recorded)
                      : disassemble_bytes(binary, is_cpu ? host_architecture() : Architecture::kUnknown, *code);
  } else if (!compiler_) {
    if (compiler_.error().kind == ErrorKind::kNotFound) code->missing = {Tool::kClang, Tool::kGcc};
    result = compiler_.error();
  } else {
    code->origin = ProgramCode::Origin::kCompiled;
    code->command = compiler_->command(code->language);
    const auto object = compiler_->compile(code->language, source);
    result = object ? disassemble_bytes(*object, host_architecture(), *code) : object.error();
  }
  if (!tools_.has(Tool::kLlvmMca)) code->missing.push_back(Tool::kLlvmMca);
  if (!result) {
    code->error = std::move(result).error();
    return code;
  }
  code->code = std::move(*result);
  code->flow = find_control_flow(code->code.instructions);
  return code;
}

Result<MachineAnalysis> ProgramCodes::analyse(const ProgramCode& code, std::uint32_t first, std::uint32_t count,
                                              std::string_view cpu) {
  const std::size_t all = code.code.instructions.size();
  if (first >= all || count == 0 || count > all - first)
    return Error{ErrorKind::kNotFound, fmt::format("there are {} instructions", all), ""};
  const Turn turn(tool_turns_);
  return analyse_machine_code(tools_, code.code.architecture, std::span(code.code.instructions).subspan(first, count),
                              cpu);
}

Result<std::string> ProgramCodes::reference_analysis(const ProgramCode& code) {
  const Turn turn(tool_turns_);
  return vizd::reference_analysis(tools_, code.code.architecture, code.code.instructions);
}

}  // namespace vizd
