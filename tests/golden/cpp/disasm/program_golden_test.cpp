// The programs of real captures, compiled as tinygrad's CPU device compiles them: all of each is decoded, and
// llvm-mca's table equals the one that the reference makes of the same machine code as LLVM's own disassembler writes
// it.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/mapped_file.h"
#include "disasm/child_program.h"
#include "disasm/compile.h"
#include "disasm/disassemble.h"
#include "disasm/foreign_disassembly.h"
#include "disasm/machine_analysis.h"
#include "disasm/undecoded.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::program_golden_test {
namespace {

constexpr const char* kSystem = "/usr/bin:/bin";

std::set<std::string> distinct_sources(const std::string& sample) {
  const std::string path = shared_data("samples/tinygrad-2025-09/") + sample + ".rewrites.pkl";
  std::set<std::string> sources;
  if (!std::filesystem::exists(path)) {
    WARN("skipped: there is no " << path);
    return sources;
  }
  const auto file = MappedFile::open(path);
  REQUIRE(file.has_value());
  Capture capture;
  REQUIRE(read_capture({path, file->bytes()}, capture));
  for (const Program& program : capture.rewrites.programs) sources.emplace(capture.strings.get(program.source));
  return sources;
}

// Jumps need a name to lead to, whatever it is; notes are left out.
std::string assembly_of_objdump(const std::string& dump) {
  std::string text = ".intel_syntax noprefix\n";
  for (const Instruction& i : read_objdump(dump)) {
    std::string operands = i.operands.substr(0, std::min(i.operands.find(" #"), i.operands.size()));
    if (operands.find(" <") != std::string::npos) operands = ".Lsomewhere";
    text += i.mnemonic + "\t" + operands + "\n";
  }
  return text;
}

nlohmann::json rows_of_reference(const Toolchain& tools, const std::string& object, const std::string& cpu) {
  const auto dump = tools.children().run({tools.path(Tool::kLlvmObjdump), "-d", "-Mintel", "-"}, object, {});
  REQUIRE(dump);
  REQUIRE(dump->succeeded());
  const auto run = tools.children().run(
      {tools.path(Tool::kLlvmMca), "-mtriple=x86_64-none-unknown-elf", "-mcpu=" + cpu, "--json", "-"},
      assembly_of_objdump(dump->output), {});
  REQUIRE(run);
  REQUIRE(run->succeeded());
  const auto table = reference_table(run->output);
  REQUIRE(table);
  return nlohmann::json::parse(*table)["rows"];
}

// The two disassemblers write jumps' targets and numbers that may be negative each in their own way.
void forget_operands(nlohmann::json& rows) {
  for (auto& row : rows) {
    const std::string opcode = row[0];
    row[0] = opcode.substr(0, opcode.find('\t'));
  }
}

}  // namespace

TEST_CASE("programs of real captures are decoded whole, and llvm-mca's rows are the reference's") {
  const Toolchain tools(kSystem);
  const auto compiler = Compiler::find({.enabled = true, .compiler = "", .flags = {}}, tools);
  if (!compiler || !tools.has(Tool::kClang)) {
    WARN("skipped: clang is not installed");
    return;
  }
  const bool compares =
      tools.has(Tool::kLlvmMca) && tools.has(Tool::kLlvmObjdump) && host_architecture() == Architecture::kX86_64;
  if (!compares) WARN("no comparison with the reference: it takes llvm-mca and llvm-objdump, on x86-64");
  const std::string sample = GENERATE("multi", "gpt");
  for (const std::string& source : distinct_sources(sample)) {
    INFO(source);
    const auto binary = compiler->compile(SourceLanguage::kC, source);
    REQUIRE(binary);
    const auto object = read_object(std::as_bytes(std::span(*binary)), Architecture::kUnknown);
    REQUIRE(object);
    auto code = disassemble(*object);
    REQUIRE(code);
    CHECK_FALSE(code->instructions.empty());
    if (!compares) continue;
    if (has_undecoded(*code)) {
      const auto others = decode_with_objdump(tools, *object);
      REQUIRE(others);
      code = disassemble(*object, *others);
    }
    CHECK_FALSE(has_undecoded(*code));
    const auto table = reference_analysis(tools, code->architecture, code->instructions);
    REQUIRE(table);
    auto rows = nlohmann::json::parse(*table)["rows"];
    // The reference has no answer where llvm-mca's model of this machine lacks an instruction; vizd's is another
    // model's.
    const auto analysis = analyse_machine_code(tools, code->architecture, code->instructions, "native");
    REQUIRE(analysis);
    auto expected = rows_of_reference(tools, *binary, analysis->lacked.empty() ? "native" : analysis->cpu);
    forget_operands(rows);
    forget_operands(expected);
    CHECK(rows.size() == code->instructions.size());
    REQUIRE(rows.size() == expected.size());
    for (std::size_t i = 0; i < rows.size(); ++i) CHECK(rows[i] == expected[i]);
  }
}

}  // namespace vizd::program_golden_test
