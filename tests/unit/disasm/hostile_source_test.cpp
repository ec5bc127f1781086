// Sources that would read a file of this machine, one wall at a time: the gate alone refuses each, and the sandbox
// alone keeps the file from each that the compiler would give it to. With neither, most get it: they are what they say.
#include <algorithm>

#include "disasm/compile.h"
#include "support/catch.h"
#include "support/temporary_folder.h"
#include "unit/disasm/hostile_sources.h"

namespace vizd::hostile_source_test {
namespace {

constexpr const char* kSecret = "char vizd[] = \"VIZD_SECRET\";\n";

bool leaks(const Result<ChildRun>& run) {
  return run && (run->output + run->errors).find("VIZD_SECRET") != std::string::npos;
}

TEST_CASE("a source that reads a file is refused, in whatever disguise") {
  const std::vector<HostileSource> sources = hostile_sources("/etc/passwd");
  CHECK(sources.size() >= 100);
  for (const HostileSource& hostile : sources) {
    INFO(hostile.name);
    CHECK(check_source(hostile.language, hostile.source).has_value() == hostile.is_for_assembler);
  }
}

TEST_CASE("what gcc would hand to its assembler is refused before that") {
  const Toolchain tools("/usr/bin:/bin");
  const auto gcc = Compiler::find({.enabled = true, .compiler = tools.path(Tool::kGcc), .flags = {}}, tools);
  if (!tools.has(Tool::kGcc) || !gcc) {
    WARN("skipped: " << (gcc ? "gcc is not installed" : gcc.error().message));
    return;
  }
  for (const HostileSource& hostile : hostile_sources("/etc/passwd")) {
    if (!hostile.is_for_assembler) continue;
    INFO(hostile.name);
    const auto object = gcc->compile(hostile.language, hostile.source);
    REQUIRE_FALSE(object);
    // By vizd, or by gcc itself, which knows no symbol of an alias's name.
    CHECK((object.error().kind == ErrorKind::kForbidden || object.error().kind == ErrorKind::kBadInput));
  }
}

TEST_CASE("a source that gets past the gate reads no file, and without the sandbox it would") {
  const Tool tool = GENERATE(Tool::kClang, Tool::kGcc);
  const Toolchain tools("/usr/bin:/bin"), unconfined("/usr/bin:/bin", ChildPrograms::Sandboxing::kNone);
  const auto compiler = Compiler::find({.enabled = true, .compiler = tools.path(tool), .flags = {}}, tools);
  if (!tools.has(tool) || !compiler) {
    WARN("skipped: " << (compiler ? "it is not installed" : compiler.error().message));
    return;
  }
  const TemporaryFolder folder;
  folder.write("secret.h", kSecret);
  std::size_t tried = 0, working = 0;
  for (const HostileSource& hostile : hostile_sources(folder / "secret.h")) {
    const bool is_ir = hostile.language == SourceLanguage::kLlvmIr;
    if (is_ir && tool == Tool::kGcc) continue;
    ++tried;
    std::vector<std::string> argv = compiler->arguments(hostile.language);
    if (!hostile.flag.empty()) argv.insert(argv.end() - 3, hostile.flag);
    // gcc would stop at text, in which the assembler's directives stand; what they would read is not there yet.
    // So here it goes on to the object, in a file, as its assembler writes no other.
    ChildOptions options = compiler->child_options();
    if (tool == Tool::kGcc) {
      *std::ranges::find(argv, "-S") = "-c";
      argv[argv.size() - 2] = options.output_file = "program.o";
    }
    ChildOptions free = options;
    free.needs_confinement = false;
    if (!leaks(unconfined.children().run(argv, hostile.source, free))) continue;
    ++working;
    INFO(hostile.name);
    CHECK_FALSE(leaks(tools.children().run(argv, hostile.source, options)));
  }
  INFO(working << " of " << tried << " get the file where nothing stops them");
  CHECK(2 * working > tried);
}

}  // namespace
}  // namespace vizd::hostile_source_test
