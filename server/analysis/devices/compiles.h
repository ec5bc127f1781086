// CompileRow: what torch.compile did while PyTorch's profiler ran, as far as the trace tells: functions that were
// compiled, for the first time or again, guards that were built and checked, compiled regions and graphs that ran, and
// where a function went on behind a graph break. docs/figures.md says how each is known. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/work_scope.h"

namespace vizd {

enum class CompileKind : std::uint8_t {
  kCompiler,    // all that the compiler timed of itself, each moment once a thread
  kCompile,     // of a function
  kRecompile,   // likewise, for inputs that what was compiled before does not hold for
  kBackward,    // of a function's backward pass
  kGuards,      // building what tells whether what was compiled holds
  kGuardCheck,  // looking for what was compiled, by its guards
  kRegion,      // a function that was compiled, running
  kGraph,       // likewise a graph
  kGraphBreak,  // a function that goes on behind what could not be compiled, running
};
inline constexpr std::string_view kCompileKindNames[] = {
    "compiler", "compile", "recompile", "backward compile", "guards", "guard check", "region", "graph", "graph break"};

struct CompileRow {
  CompileKind kind = CompileKind::kCompiler;
  // For functions the compiler's id, "0/1": the second time that the first function was compiled; for graphs their key;
  // for graph breaks the function and the line behind it. "": not recorded.
  std::string id;
  std::int64_t count = 0, total_ns = 0, max_ns = 0;
  ProfileEvent worst;  // the longest

  // Whether it is the compiler at work, and not what it made.
  bool is_compiling() const { return kind <= CompileKind::kGuards; }
};

// By kind, then the longest total first. Of a scope its range, step and rank count: what began in them.
std::vector<CompileRow> find_compiles(const Capture& capture, const WorkScope& scope = {});

// Whether operators of PyTorch were recorded, so that what it compiled would be.
bool is_of_pytorch(const Capture& capture);

}  // namespace vizd
