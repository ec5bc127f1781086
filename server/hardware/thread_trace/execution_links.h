// ExecutionLinks: which dispatch an execution is of. A unit of the traced SIMD executes in the order in which it was
// dispatched to, so each execution is of the oldest dispatch that still waits for its unit. Pure; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>

#include "hardware/thread_trace/instruction_walk.h"

namespace vizd::thread_trace {

// The units of a SIMD that execute what is dispatched.
inline constexpr std::string_view kPipes[] = {"VALU", "SALU", "VMEM", "LDS"};

std::optional<std::size_t> find_pipe(std::string_view name);
// The pipe of what is dispatched under this name; nothing where none tells of its executions.
std::optional<std::size_t> pipe_of(std::string_view operation);
// The number that an operation's name ends in behind "_", else 1: the cycles of its execution.
std::int64_t cycles_of(std::string_view operation);
// RDNA 3 has no operation of its own for matrices: what a VALUINST of one is called.
std::string_view matrix_operation(const Step& step, std::string_view operation);

inline constexpr std::string_view kOfOthers = "OTHER_";    // an operation, of another SIMD than the traced one
inline constexpr std::string_view kPipeOfOthers = "_ALT";  // a pipe, as another SIMD uses it

template <typename Dispatch>
class ExecutionLinks {
 public:
  struct Execution {
    std::string_view source;  // as the packet has it: "VALU", "LDS_ALT"
    std::string_view unit;    // what executed: "VALU", "TFU", "WMMA", "LDS"
    bool is_matrix = false;
    std::int64_t start_cycle = 0, end_cycle = 0;
    std::optional<Dispatch> dispatch = {};  // nothing where none was seen
  };

  // Has the dispatch of a kValu or kInst packet wait for its execution, if a pipe tells of it; returns what the
  // operation is called then.
  std::string_view queue(std::string_view operation, const Step& step, const Dispatch& dispatch) {
    const auto pipe = pipe_of(operation);
    if (!pipe) return operation;
    const bool is_others = operation.starts_with(kOfOthers);
    operation = matrix_operation(step, operation);
    pending_[*pipe][is_others].push_back({dispatch, operation});
    return operation;
  }

  // Calls on_execution(const Execution&) for each that a kAluExec or kMemoryExec packet tells of.
  template <typename OnExecution>
  void execute(const Packet& packet, OnExecution&& on_execution) {
    const std::string_view source = source_name(packet.kind(), packet.value("src"));
    if (source == "VALU_SALU") {
      on_execution(executed("VALU", packet));
      on_execution(executed("SALU", packet));
    } else {
      on_execution(executed(source, packet));
    }
  }

 private:
  struct Pending {
    Dispatch dispatch;
    std::string_view operation;
  };

  Execution executed(std::string_view source, const Packet& packet) {
    const bool is_others = source.ends_with(kPipeOfOthers);
    Execution made{.source = source, .unit = source.substr(0, source.size() - (is_others ? kPipeOfOthers.size() : 0))};
    std::string_view operation;
    const auto pipe = find_pipe(made.unit);
    if (pipe && !pending_[*pipe][is_others].empty()) {
      const Pending& oldest = pending_[*pipe][is_others].front();
      made.dispatch = oldest.dispatch;
      operation = oldest.operation;
      pending_[*pipe][is_others].pop_front();
    }
    made.is_matrix = operation.starts_with("WMMA");
    if (made.is_matrix && !operation.starts_with("WMMA_VALU")) made.unit = "WMMA";
    if (operation.starts_with("VALUT")) made.unit = "TFU";
    const std::int64_t cycles = cycles_of(operation);
    // The packet marks the end for vector and matrix units, and the beginning for all others.
    const bool ends_here = packet.kind() == PacketKind::kAluExec && made.unit != "SALU" && made.unit != "TFU";
    made.start_cycle = ends_here ? packet.at_cycle - cycles : packet.at_cycle;
    made.end_cycle = made.start_cycle + cycles;
    return made;
  }

  // By pipe, the oldest first: of the traced SIMD, and of others.
  std::array<std::array<std::deque<Pending>, 2>, std::size(kPipes)> pending_;
};

}  // namespace vizd::thread_trace
