// Compiles a program's source for a CPU, so that its machine code can be shown. Never to run it. The source comes from
// a capture: it passes the gate (source_gate.h), and the compiler runs as a child that is trusted with nothing
// (child_program.h). Any thread; waits for the compiler.
#pragma once

#include <string>
#include <vector>

#include "disasm/source_gate.h"
#include "disasm/toolchain.h"

namespace vizd {

struct CompileOptions {
  bool enabled = false;            // --compile
  std::string compiler;            // --compiler: a path, or "" for the clang, else gcc, that is installed
  std::vector<std::string> flags;  // --compile-flags; none: the reference's
};

// The flags with which tinygrad's CPU device compiles its kernels (ClangJITCompiler in compiler_cpu.py of 2025-09), for
// the machine that vizd runs on.
std::vector<std::string> reference_flags();

// A compiler of this machine with its options; looked up once.
class Compiler {
 public:
  // Errors: it is not enabled; nothing would keep it from files of this machine; none is installed (kNotFound).
  static Result<Compiler> find(const CompileOptions& options, const Toolchain& tools);

  // As it is run, for people to read; ends with "-" for the source.
  std::string command(SourceLanguage language) const;
  const std::string& path() const { return path_; }

  // The object file's bytes. Errors: what the gate refuses (kForbidden); what the compiler says, its own messages about
  // the source and nothing else; that it took too long or wrote too much.
  Result<std::string> compile(SourceLanguage language, std::string_view source) const;

  // How it is run on a source that has passed the gate.
  std::vector<std::string> arguments(SourceLanguage language) const;
  ChildOptions child_options() const;

 private:
  Compiler(const Toolchain& tools, std::string path, bool is_clang, std::vector<std::string> flags);

  Result<std::string> assemble(std::string_view assembly) const;

  Toolchain tools_;
  std::string path_;
  bool is_clang_;
  std::vector<std::string> flags_;
  std::string headers_;             // the folder of the compiler's own
  std::vector<std::string> files_;  // besides itself: what it reads, and the programs that it starts
};

// The messages about <stdin> in a compiler's output, without lines of source, at most 20.
std::string compiler_messages(std::string_view errors);

}  // namespace vizd
