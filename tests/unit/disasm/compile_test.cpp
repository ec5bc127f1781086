// Compiling a hostile source: it is stopped, and nothing of the machine's files comes out. Each is tried twice: through
// the gate, and past it, where the child's limits and its sandbox must hold alone.
#include "disasm/compile.h"

#include <cstdlib>
#include <filesystem>

#include "disasm/child_program.h"
#include "disasm/disassemble.h"
#include "support/catch.h"
#include "support/temporary_folder.h"
#include "system/sandbox.h"

namespace vizd::compile_test {

namespace {

const Toolchain& tools() {
  static const Toolchain found("/usr/bin:/bin");
  return found;
}

std::optional<Compiler> find_compiler(Tool tool) {
  if (!tools().has(tool)) {
    WARN("skipped: " << describe_missing(tool).program << " is not installed");
    return std::nullopt;
  }
  auto compiler = Compiler::find({.enabled = true, .compiler = tools().path(tool), .flags = {}}, tools());
  if (compiler) return std::move(*compiler);
  WARN("skipped: " << compiler.error().message);
  return std::nullopt;
}

// Asks a program of the machine about itself, as it were.
Result<ChildRun> run_system(const std::vector<std::string>& argv, ChildOptions options = {}) {
  options.reads = ChildReads::kSystem;
  return tools().children().run(argv, "", options);
}

// clang on a source that did not pass the gate.
Result<ChildRun> run_clang(std::string_view source, const ChildOptions& options = {}) {
  return tools().children().run({tools().path(Tool::kClang), "-c", "-x", "c", "-O1", "-o", "-", "-"}, source, options);
}

bool leaks(const ChildRun& run) {
  return run.output.find("root:") != std::string::npos || run.errors.find("root:") != std::string::npos;
}

std::size_t count_work_folders() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::temp_directory_path()))
    count += entry.path().filename().string().starts_with("vizd-") && entry.path().filename().string().size() == 11;
  return count;
}

constexpr const char* kKernel =
    "void k(float* restrict a, float* restrict b) {\n  for (int i = 0; i < 64; i++) {\n    a[i] = b[i] + 1.0f;\n  "
    "}\n}\n";

}  // namespace

TEST_CASE("a kernel is compiled to code with lines") {
  const auto compiler = find_compiler(GENERATE(Tool::kClang, Tool::kGcc));
  if (!compiler) return;
  const auto object = compiler->compile(SourceLanguage::kC, kKernel);
  REQUIRE(object);
  const auto file = read_object(std::as_bytes(std::span(*object)), Architecture::kUnknown);
  REQUIRE(file);
  CHECK(file->architecture == host_architecture());
  CHECK_FALSE(file->lines.empty());
  const auto code = disassemble(*file);
  REQUIRE(code);
  bool has_line_3 = false;
  for (const Instruction& i : code->instructions) has_line_3 = has_line_3 || i.line == 3;
  CHECK(has_line_3);
}

TEST_CASE("a source that is wrong gets the compiler's messages about it and nothing else") {
  const auto compiler = find_compiler(GENERATE(Tool::kClang, Tool::kGcc));
  if (!compiler) return;
  const auto object = compiler->compile(SourceLanguage::kC, "void k() {\n  undeclared = 1;\n}\n");
  REQUIRE_FALSE(object);
  CHECK(object.error().message.starts_with("line 2:"));
  CHECK(object.error().message.find("undeclared") != std::string::npos);
  CHECK(compiler_messages(
            "In file included from /etc/passwd:1:\n/etc/passwd:1:1: error: root:x:0\n<stdin>:2:1: error: x\n"
            "    root:x:0:0\n") == "line 2:1: error: x");
}

TEST_CASE("the gate stops hostile sources before the compiler sees them") {
  const auto compiler = find_compiler(Tool::kClang);
  if (!compiler) return;
  for (const char* source : {"#include \"/etc/passwd\"\n", "#include \"/dev/stdin\"\n", "#include \"/dev/zero\"\n",
                             "__asm__(\".incbin \\\"/etc/passwd\\\"\");\n"}) {
    const auto object = compiler->compile(SourceLanguage::kC, source);
    REQUIRE_FALSE(object);
    CHECK(object.error().kind == ErrorKind::kForbidden);
  }
}

TEST_CASE("without the gate no file leaks") {
  if (!tools().has(Tool::kClang) || !sandbox_support().confines_files) {
    WARN("skipped: there is no clang, or no Landlock in the kernel");
    return;
  }
  for (const char* source :
       {"#include \"/etc/passwd\"\n", "#line 1 \"/etc/passwd\"\nint x = ;\n",
        "__asm__(\".incbin \\\"/etc/passwd\\\"\");\n", "__asm__(\".include \\\"/etc/passwd\\\"\");\n"}) {
    const auto run = run_clang(source);
    REQUIRE(run);
    INFO(source);
    CHECK_FALSE(run->succeeded());
    CHECK_FALSE(leaks(*run));
  }
}

TEST_CASE("an endless include, endless work and a gigabyte of output are stopped") {
  if (!tools().has(Tool::kClang)) return;
  const std::size_t folders_before = count_work_folders();
  if (sandbox_support().confines_files) {
    const auto include = run_clang("#include \"/dev/zero\"\n");
    REQUIRE(include);
    CHECK_FALSE(include->succeeded());
  }
  // Doubles 2^40 times over.
  std::string doubling = "#define D0 1+1\n";
  for (int i = 1; i <= 40; ++i)
    doubling += "#define D" + std::to_string(i) + " D" + std::to_string(i - 1) + " + D" + std::to_string(i - 1) + "\n";
  const auto work = run_clang(doubling + "int x = D40;\n", {.wall_time = std::chrono::milliseconds(2000), .cpu_s = 2});
  REQUIRE(work);
  CHECK_FALSE(work->succeeded());
  const auto output = run_clang("char big[1 << 30] = {1};\n");
  REQUIRE(output);
  CHECK_FALSE(output->succeeded());
  CHECK(output->output.size() <= (std::size_t{17} << 20));
  CHECK(count_work_folders() <= folders_before);
}

TEST_CASE("a child has no environment, no files of vizd, no network and no children") {
  REQUIRE(::setenv("VIZD_TEST_SECRET", "secret", 1) == 0);
  const auto run =
      run_system({"/bin/sh", "-c", "echo $VIZD_TEST_SECRET; ls /proc/self/fd"}, {.may_start_programs = true});
  REQUIRE(run);
  CHECK(run->output.find("secret") == std::string::npos);
  const auto forks = run_system({"/bin/sh", "-c", "/bin/echo begun; :"});
  REQUIRE(forks);
  if (sandbox_support().denies_network) CHECK(forks->output.find("begun") == std::string::npos);
  const TemporaryFolder folder;
  const auto writes = run_system({"/bin/sh", "-c", "echo x > " + folder / "escaped"});
  REQUIRE(writes);
  if (sandbox_support().confines_files) CHECK_FALSE(std::filesystem::exists(folder / "escaped"));
  const auto waits =
      run_system({"/bin/sh", "-c", "while :; do :; done"}, {.wall_time = std::chrono::milliseconds(200)});
  REQUIRE(waits);
  CHECK(waits->timed_out);
  CHECK_FALSE(run_system({"/no/such/program"}));
}

TEST_CASE("programs are looked for in PATH, and what is missing is named with its package") {
  const Toolchain none("/nowhere:relative:");
  CHECK_FALSE(none.has(Tool::kClang));
  CHECK(describe_missing(Tool::kLlvmMca).package == "llvm");
  CHECK_FALSE(Compiler::find({.enabled = true, .compiler = "", .flags = {}}, none));
  CHECK_FALSE(Compiler::find({}, tools()));
}

TEST_CASE("where nothing keeps a compiler from files nothing is compiled, and it says so") {
  const Toolchain unconfined("/usr/bin:/bin", ChildPrograms::Sandboxing::kNone);
  const auto compiler = Compiler::find({.enabled = true, .compiler = "", .flags = {}}, unconfined);
  REQUIRE_FALSE(compiler);
  CHECK(compiler.error().message.starts_with("--compile is off: this system has no Landlock"));
  const auto run = unconfined.children().run({"/bin/true"}, "", {.needs_confinement = true});
  REQUIRE_FALSE(run);
  CHECK(run.error().kind == ErrorKind::kForbidden);
}

TEST_CASE("a standard in which the gate would misread comments is not compiled by") {
  for (const char* flag : {"-ansi", "-std=c89", "-std=c90", "-std=iso9899:1990", "-traditional-cpp"}) {
    INFO(flag);
    CHECK_FALSE(Compiler::find({.enabled = true, .compiler = "", .flags = {"-O1", flag}}, tools()));
  }
}

}  // namespace vizd::compile_test
