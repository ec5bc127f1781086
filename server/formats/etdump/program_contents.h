// ProgramContents: what a program is made of without a run of it: its methods, how often each operator is called and
// what constants it reads, and what was given to delegates. Of an ExecuTorch program (.pte, schema ET12) or, as far as
// that tells, of an ETRecord. Plain data once read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/etdump/etrecord.h"
#include "formats/own_table.h"
#include "model/capture.h"

namespace vizd::etdump {

struct PlanContents {
  std::string method;
  std::uint64_t instructions = 0, inputs = 0, outputs = 0;
  std::vector<std::int64_t> buffer_bytes;  // planned memory, by the memory's number; empty where nobody says
};

struct OperatorContents {
  std::string method, op;
  std::uint64_t calls = 0;
  std::uint64_t constant_bytes = 0;  // of the constants that it reads, each counted at the first that reads it
};

struct ConstantContents {
  std::string method, name, type;
  std::vector<std::string> shape;
  std::optional<std::uint64_t> bytes;  // none where a size is not fixed
};

struct DelegateContents {
  std::string method, backend;
  std::uint64_t calls = 0;
  std::optional<std::uint64_t> blob_bytes;  // what the delegate compiled; none: an ETRecord does not keep it
  std::uint64_t nodes = 0;                  // of the graph, where an ETRecord tells them
};

struct ProgramContents {
  std::vector<PlanContents> plans;
  std::vector<OperatorContents> operators;  // of a method together, the most constants first
  std::vector<ConstantContents> constants;  // the largest first
  std::vector<DelegateContents> delegates;  // likewise

  std::uint64_t constant_bytes() const;
};

bool looks_like_program(std::span<const std::byte> beginning);

// Reads a .pte. Every offset is checked; what is outside of the file is absent. Errors, with name as their place: it is
// not a program, or is so damaged that it has no plan.
Result<ProgramContents> read_program(std::span<const std::byte> bytes, const std::string& name);

ProgramContents contents_of(const EtRecord& record);

// As facts of a capture, and as the tables plans, operators, constants and delegates.
void add_facts(const ProgramContents& contents, Capture& capture);
std::vector<OwnTable> tables_of(const ProgramContents& contents);

}  // namespace vizd::etdump
