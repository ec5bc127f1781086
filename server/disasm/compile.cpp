#include "disasm/compile.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "disasm/architecture.h"
#include "disasm/child_program.h"

namespace vizd {
namespace {

// No option takes these away: no headers but the compiler's own, line numbers for the page, and messages that quote no
// file (gcc reads the file that it believes a line is from).
const std::vector<std::string> kAlways{"-nostdinc", "-gdwarf-4", "-fno-diagnostics-color"};

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// The folder of the compiler's own headers; "" where it does not say.
std::string own_headers(const std::string& path, bool is_clang) {
  const std::vector<std::string> ask{path, is_clang ? "-print-resource-dir" : "-print-file-name=include"};
  const auto answer = run_program(ask, "", {.may_start_programs = true});
  if (!answer || !answer->succeeded()) return "";
  const std::string folder = first_line(answer->output);
  return is_clang && !folder.empty() ? folder + "/include" : folder;
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

std::optional<Compiler> Compiler::find(const CompileOptions& options, const Toolchain& tools) {
  if (!options.enabled) return std::nullopt;
  std::string path = options.compiler;
  if (path.empty()) path = tools.has(Tool::kClang) ? tools.path(Tool::kClang) : tools.path(Tool::kGcc);
  if (path.empty()) return std::nullopt;
  const auto version = run_program({path, "--version"}, "", {.may_start_programs = true});
  if (!version) return std::nullopt;
  const bool is_clang = version->output.find("clang") != std::string::npos;
  std::vector<std::string> flags = options.flags.empty() ? reference_flags() : options.flags;
  if (!is_clang) std::erase_if(flags, [](const std::string& flag) { return flag.starts_with("--target="); });
  return Compiler(path, is_clang, std::move(flags), own_headers(path, is_clang));
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
  auto run = run_program(arguments(language), source, {.may_start_programs = !is_clang_});
  if (!run) return run.error();
  if (!run->succeeded()) return describe_failure(*run);
  return is_clang_ ? std::move(run->output) : assemble(run->output);
}

// gcc wrote text, which is looked through before its assembler sees it.
Result<std::string> Compiler::assemble(std::string_view assembly) const {
  VIZD_TRY(check_assembly(assembly));
  const std::vector<std::string> argv{path_, "-c", "-x", "assembler", "-o", "program.o", "-"};
  auto run = run_program(argv, assembly, {.may_start_programs = true, .output_file = "program.o"});
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
