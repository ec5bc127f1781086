#include "disasm/compile.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "disasm/architecture.h"

namespace vizd {
namespace {

// No option takes these away: no headers but the compiler's own, line numbers for the page, and messages that quote no
// file (gcc reads the file that it believes a line is from).
const std::vector<std::string> kAlways{"-nostdinc", "-gdwarf-4", "-fno-diagnostics-color"};

// The standards in which a comment may begin with //, as the gate takes it for.
constexpr std::array<std::string_view, 12> kStandards{"c99",   "c11",   "c17",   "c18",   "c2x",   "c23",
                                                      "gnu99", "gnu11", "gnu17", "gnu18", "gnu2x", "gnu23"};

bool is_other_dialect(std::string_view flag) {
  constexpr std::string_view kStandard = "-std=";
  if (flag.starts_with(kStandard))
    return std::ranges::find(kStandards, flag.substr(kStandard.size())) == kStandards.end();
  return flag == "-ansi" || flag.starts_with("-traditional");
}

// The first line of what the compiler says of itself; "" where it does not say.
std::string ask(const Toolchain& tools, const std::string& path, const std::string& question) {
  const auto answer =
      tools.children().run({path, question}, "", {.may_start_programs = true, .reads = ChildReads::kSystem});
  if (!answer || !answer->succeeded()) return "";
  return answer->output.substr(0, answer->output.find('\n'));
}

// A program that gcc starts, as it names it: a path, or a name to be found.
std::string program_of(const Toolchain& tools, const std::string& path, const std::string& name) {
  const std::string program = ask(tools, path, "-print-prog-name=" + name);
  if (program.empty() || program.front() == '/') return program;
  std::error_code failed;
  return std::filesystem::exists("/usr/bin/" + program, failed) ? "/usr/bin/" + program : "/bin/" + program;
}

Error describe_failure(const ChildRun& run) {
  const auto fail = [](const char* what) { return Error{ErrorKind::kTooLarge, what, ""}; };
  if (run.timed_out) return fail("the compiler took too long and was stopped");
  if (run.too_much_output) return fail("the compiler wrote too much and was stopped");
  const std::string messages = compiler_messages(run.errors);
  return {ErrorKind::kBadInput, messages.empty() ? "the compiler failed without a message about the source" : messages,
          ""};
}

}  // namespace

std::vector<std::string> reference_flags() {
  std::vector<std::string> flags;
  switch (host_architecture()) {
    case Architecture::kX86_64:
      flags = {"-march=native", "--target=x86_64-none-unknown-elf"};
      break;
    case Architecture::kAarch64:
      flags = {"-mcpu=native", "--target=aarch64-none-unknown-elf"};
      break;
    default:
      break;
  }
  for (const char* flag : {"-O2", "-fPIC", "-ffreestanding", "-fno-math-errno", "-nostdlib", "-fno-ident"})
    flags.emplace_back(flag);
  return flags;
}

Result<Compiler> Compiler::find(const CompileOptions& options, const Toolchain& tools) {
  if (!options.enabled)
    return Error{ErrorKind::kForbidden,
                 "the capture has this program's source only; start vizd with --compile to see the machine code that a "
                 "compiler of this machine makes of it",
                 ""};
  if (!tools.children().confines_files())
    return Error{ErrorKind::kForbidden,
                 "--compile is off: this system has no Landlock (Linux 5.13 and later have it), and without it nothing "
                 "but vizd's look at a source would keep a compiler from this machine's files",
                 ""};
  std::string path = options.compiler;
  if (path.empty()) path = tools.has(Tool::kClang) ? tools.path(Tool::kClang) : tools.path(Tool::kGcc);
  if (path.empty())
    return Error{ErrorKind::kNotFound, "no compiler is installed; Debian's packages clang and gcc bring one", ""};
  const std::string version = ask(tools, path, "--version");
  if (version.empty())
    return Error{ErrorKind::kForbidden, "--compile is off: the compiler does not tell its version", path};
  const bool is_clang = version.find("clang") != std::string::npos;
  std::vector<std::string> flags = options.flags.empty() ? reference_flags() : options.flags;
  if (!is_clang) std::erase_if(flags, [](const std::string& flag) { return flag.starts_with("--target="); });
  for (const std::string& flag : flags) {
    if (is_other_dialect(flag))
      return Error{ErrorKind::kForbidden, fmt::format("--compile is off: it takes C99 or later, not {}", flag), ""};
  }
  return Compiler(tools, path, is_clang, std::move(flags));
}

Compiler::Compiler(const Toolchain& tools, std::string path, bool is_clang, std::vector<std::string> flags)
    : tools_(tools), path_(std::move(path)), is_clang_(is_clang), flags_(std::move(flags)) {
  headers_ = ask(tools_, path_, is_clang_ ? "-print-resource-dir" : "-print-file-name=include");
  if (is_clang_ && !headers_.empty()) headers_ += "/include";
  if (!headers_.empty()) files_.push_back(headers_);
  if (is_clang_) return;
  for (const char* name : {"cc1", "as"}) {
    for (std::string& file : tools_.children().files_of(program_of(tools_, path_, name)))
      files_.push_back(std::move(file));
  }
}

ChildOptions Compiler::child_options() const {
  return {.may_start_programs = !is_clang_, .files = files_, .needs_confinement = true};
}

std::vector<std::string> Compiler::arguments(SourceLanguage language) const {
  std::vector<std::string> argv{path_, is_clang_ ? "-c" : "-S", "-x", language == SourceLanguage::kLlvmIr ? "ir" : "c"};
  argv.insert(argv.end(), flags_.begin(), flags_.end());
  argv.insert(argv.end(), kAlways.begin(), kAlways.end());
  argv.emplace_back(is_clang_ ? "-gline-tables-only" : "-g1");
  argv.emplace_back(is_clang_ ? "-fno-caret-diagnostics" : "-fno-diagnostics-show-caret");
  if (!headers_.empty()) argv.insert(argv.end(), {"-isystem", headers_});
  argv.insert(argv.end(), {"-o", "-", "-"});
  return argv;
}

std::string Compiler::command(SourceLanguage language) const {
  return fmt::format("{}", fmt::join(arguments(language), " "));
}

Result<std::string> Compiler::compile(SourceLanguage language, std::string_view source) const {
  VIZD_TRY(check_source(language, source));
  if (language == SourceLanguage::kLlvmIr && !is_clang_)
    return Error{ErrorKind::kNotFound,
                 "the source is LLVM's, which only clang compiles; install Debian's package clang", ""};
  auto run = tools_.children().run(arguments(language), source, child_options());
  if (!run) return run.error();
  if (!run->succeeded()) return describe_failure(*run);
  return is_clang_ ? std::move(run->output) : assemble(run->output);
}

// gcc wrote text, which is looked through before its assembler sees it.
Result<std::string> Compiler::assemble(std::string_view assembly) const {
  VIZD_TRY(check_assembly(assembly));
  const std::vector<std::string> argv{path_, "-c", "-x", "assembler", "-o", "program.o", "-"};
  ChildOptions options = child_options();
  options.output_file = "program.o";
  auto run = tools_.children().run(argv, assembly, options);
  if (!run) return run.error();
  if (!run->succeeded()) return describe_failure(*run);
  return std::move(run->output);
}

std::string compiler_messages(std::string_view errors) {
  constexpr std::size_t kMostLines = 20, kMostColumns = 300;
  std::string messages;
  std::size_t lines = 0;
  while (!errors.empty() && lines < kMostLines) {
    const auto end = std::min(errors.find('\n'), errors.size());
    const std::string_view line = errors.substr(0, end);
    errors.remove_prefix(std::min(end + 1, errors.size()));
    const bool is_about_source = line.starts_with("<stdin>:") || line.starts_with("error: ");
    if (!is_about_source || line.find("error") == std::string_view::npos) continue;
    const std::string_view text = line.starts_with("<stdin>:") ? line.substr(8) : line;
    if (lines++ > 0) messages += '\n';
    messages += line.starts_with("<stdin>:") ? "line " : "";
    messages += text.substr(0, kMostColumns);
  }
  return messages;
}

}  // namespace vizd
