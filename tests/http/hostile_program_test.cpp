// A capture whose programs are hostile, opened with --compile: each is stopped at the gate or by the compiler's limits,
// and no answer holds anything of the machine's files or of vizd's environment.
#include <cstdlib>

#include "support/served_capture.h"
#include "support/temporary_folder.h"
#include "vizd/capture_writer.h"

namespace vizd::hostile_program_test {

namespace {

std::string repeat(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

struct HostileProgram {
  const char* name;
  std::string source;
  bool reaches_compiler;  // it reads no file: the limits must stop it
};

std::vector<HostileProgram> hostile_programs() {
  const auto stopped = [](const char* name, const std::string& source) {
    return HostileProgram{name, source + "\nvoid k() {}\n", false};
  };
  return {
      stopped("passwd", "#include \"/etc/passwd\""),
      stopped("environment", "#include \"/proc/self/environ\""),
      stopped("endless include", "#include __FILE__"),
      stopped("its own input", "#include \"/proc/self/fd/0\""),
      stopped("endless device", "#include </dev/zero>"),
      stopped("a macro's file", "#define F \"/etc/passwd\"\n#include F"),
      stopped("dependency", "#pragma GCC dependency \"/etc/passwd\""),
      stopped("module", "#pragma clang module import passwd"),
      stopped("probing", "#if __has_include(\"/etc/shadow\")\n#error there\n#endif"),
      stopped("embed", "const char e[] = {\n#embed \"/etc/passwd\"\n};"),
      stopped("probing embed", "#if __has_embed(\"/etc/shadow\")\n#endif"),
      stopped("incbin", "__asm__(\".incbin \\\"/etc/passwd\\\"\");"),
      stopped("pasted asm", "#define A(x, y) x##y\nA(__as, m__)(\".incbin \\\"/etc/passwd\\\"\");"),
      stopped("another line", "#line 1 \"/etc/passwd\"\nint x = ;"),
      stopped("IR's assembly",
              "define void @k() {\n  call void asm sideeffect \".incbin \\22/etc/passwd\\22\", \"\"()\n"
              "  ret void\n}"),
      stopped("section", std::string("int x\0;", 7)),
      {"a gigabyte", "char big[1 << 30] = {1};\n", true},
      {"deep brackets", "int x = " + repeat("(", 50'000) + "1" + repeat(")", 50'000) + ";\n", true},
      {"deep blocks", "void k() " + repeat("{", 50'000) + repeat("}", 50'000) + "\n", true},
      {"deep signs", "int x = " + repeat("- ", 200'000) + "1;\n", true},
      {"a secret in an error", "#error VIZD_TEST_SECRET\nint x = __FILE__;\n", true},
  };
}

}  // namespace

TEST_CASE("hostile programs of a capture are stopped and leak nothing") {
  if (!Toolchain("/usr/bin:/bin").has(Tool::kClang)) {
    WARN("skipped: clang is not installed");
    return;
  }
  REQUIRE(::setenv("VIZD_TEST_SECRET", "the-secret-value", 1) == 0);
  const TemporaryFolder folder;
  const std::vector<HostileProgram> programs = hostile_programs();
  {
    capture::CaptureWriter writer(folder / "hostile.bin");
    for (const HostileProgram& program : programs)
      writer.program(writer.context(program.name), program.name, program.source, "CPU");
    writer.close();
    REQUIRE(writer.error().empty());
  }
  ServedCapture served(folder / "hostile.bin", "", {.enabled = true, .compiler = "", .flags = {}}, "/usr/bin:/bin");
  for (std::size_t i = 0; i < programs.size(); ++i) {
    INFO(programs[i].name);
    const std::string context = std::to_string(i);
    const auto code = served.json("/api/v1/program/" + context + "/code");
    REQUIRE(code["error"].is_object());
    const std::string kind = code["error"]["kind"];
    if (!programs[i].reaches_compiler) CHECK((kind == "forbidden" || kind == "bad_input"));
    CHECK(code["instructions"]["address"].empty());
    for (const std::string& text : {code.dump(), served.json("/disasm?ctx=" + context).dump()}) {
      CHECK(text.find("root:") == std::string::npos);
      CHECK(text.find("the-secret-value") == std::string::npos);
      CHECK(text.find("PATH=") == std::string::npos);
    }
  }
}

}  // namespace vizd::hostile_program_test
