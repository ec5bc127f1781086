// Programs whose binaries a capture holds: disassembled without --compile, whatever machine they are for, with their
// lines where they have any, and with the tool that is missing where vizd does not know the machine itself.

#include "support/served_capture.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"
#include "vizd/capture_writer.h"

namespace vizd::program_binary_test {
using nlohmann::json;

namespace {

// A capture of one program, served with the tools of a PATH.
struct ServedBinary {
  ServedBinary(const std::string& device, const std::string& binary, std::string_view tool_path = "") {
    {
      capture::CaptureWriter writer(folder / "one.bin");
      writer.program(writer.context("sum"), "sum", read_test_data("programs/sum.c"), device, binary);
      writer.close();
      REQUIRE(writer.error().empty());
    }
    served.emplace(folder / "one.bin", "", CompileOptions{}, tool_path);
    program = served->json("/api/v1/program/0");
    code = served->json("/api/v1/program/0/code");
  }

  TemporaryFolder folder;
  std::optional<ServedCapture> served;
  json program, code;
};

}  // namespace

TEST_CASE("a capture's binary is disassembled without leave to compile") {
  const auto [file, architecture] = GENERATE(table<std::string, std::string>({{"sum.dwarf4.x86-64.o", "x86-64"},
                                                                              {"sum.dwarf5.x86-64.o", "x86-64"},
                                                                              {"sum.aarch64.o", "AArch64"},
                                                                              {"sum.mach-o.aarch64.o", "AArch64"}}));
  INFO(file);
  const std::string binary = read_test_data("programs/" + file);
  const ServedBinary capture("CPU", binary);
  CHECK(capture.program["binary_bytes"] == binary.size());
  const json& code = capture.code;
  REQUIRE(code["error"].is_null());
  CHECK(code["origin"] == "capture");
  CHECK(code["command"].is_null());
  CHECK(code["architecture"] == architecture);
  CHECK(code["instructions"]["mnemonic"].back() == "ret");
  CHECK_FALSE(code["loops"]["head"].empty());
  // sum.c's line 4 is the loop's sum, where the object says so.
  const auto& lines = code["instructions"]["line"];
  const bool has_lines = file.find("mach-o") == std::string::npos;
  CHECK((std::count(lines.begin(), lines.end(), 4) > 0) == has_lines);
  CHECK(capture.served->json("/disasm?ctx=0")["src"].get<std::string>().starts_with("0x000000: "));
}

TEST_CASE("bytes alone are code of a CPU like this one, and of no other device") {
  if (host_architecture() != Architecture::kX86_64) return;
  const std::string code("\x31\xC0\xC3", 3);  // xor eax, eax; ret
  CHECK(ServedBinary("CPU", code).code["instructions"]["mnemonic"] == json({"xor", "ret"}));
  const ServedBinary other("AMD:1", code);
  CHECK(other.code["error"]["kind"] == "bad_input");
  CHECK(other.code["instructions"]["mnemonic"].empty());
  const ServedBinary text("CUDA", ".version 7.0\n.target sm_80\n");
  CHECK(text.code["error"]["message"].get<std::string>().find("PTX") != std::string::npos);
}

TEST_CASE("a GPU's binary is disassembled by its tool, which is named where it is not installed") {
  const ServedBinary without("AMD", read_test_data("programs/add.gfx90a.o"));
  CHECK(without.code["error"]["kind"] == "not_found");
  CHECK(without.code["missing"][0]["program"] == "llvm-objdump");
  CHECK(without.code["missing"][0]["package"] == "llvm");
  CHECK(without.program["source"].get<std::string>().starts_with("void sum("));
  if (!Toolchain("/usr/bin").has(Tool::kLlvmObjdump)) {
    WARN("skipped: llvm-objdump is not installed");
    return;
  }
  const ServedBinary with("AMD", read_test_data("programs/add.gfx90a.o"), "/usr/bin");
  REQUIRE(with.code["error"].is_null());
  CHECK(with.code["architecture"] == "AMDGPU");
  CHECK(with.code["loops"]["head"].size() == 1);
  CHECK(with.code["cpus"].empty());
}

TEST_CASE("a binary that is broken is refused, and its source is there") {
  const std::string whole = read_test_data("programs/sum.dwarf4.x86-64.o");
  const ServedBinary cut("CPU", whole.substr(0, whole.size() / 2));
  CHECK(cut.code["origin"] == "capture");
  CHECK(cut.code["error"]["kind"] == "bad_input");
  CHECK(cut.served->json("/disasm?ctx=0")["src"].get<std::string>().find("void sum(") != std::string::npos);
}

}  // namespace vizd::program_binary_test
