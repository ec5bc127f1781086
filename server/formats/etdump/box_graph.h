// BoxGraph: a method's program as boxes and what they read, before and after delegates took their parts of it: one
// state of its export each. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "formats/etdump/etrecord.h"

namespace vizd::etdump {

enum class BoxKind : std::uint8_t { kInput, kConstant, kNode, kDelegate };

struct Box {
  BoxKind kind = BoxKind::kNode;
  std::string name;                         // of the node, the input, or what a delegate's call is called
  std::string op;                           // "aten.mean.dim", "parameter", "XnnpackBackend"
  std::string detail;                       // arguments that are no tensors; of a delegate what it took
  std::string dtype, shape;                 // of the first output
  std::string place;                        // the user's own line: "models.py:28 x = self.pool(self.stem(x))"
  std::string trace;                        // the whole stack trace
  std::uint64_t identity = 0;               // what it is told by from one state to the next
  std::vector<std::uint32_t> sources;       // boxes before it
  std::vector<std::int64_t> debug_handles;  // of the nodes that it stands for
  std::vector<std::uint32_t> nodes;         // their places in the edge program; empty in the ATen graph
  std::uint32_t partition = 0;              // which delegate call its nodes go to, from 1; 0: none
};

struct BoxGraph {
  std::vector<Box> boxes;              // each after those that it reads
  std::vector<std::uint32_t> outputs;  // what the program returns, and what nothing else reads
};

// The program in the dialect that it is in; is_edge says which of the method's it is.
BoxGraph boxes_of(const Method& method, const ExportedProgram& program, bool is_edge);

// The edge program with one box for each delegate call; none where no delegate took anything, or where its parts cannot
// be one call, since what one reads another makes of its results.
std::optional<BoxGraph> delegated_boxes(const Method& method);

// The innermost line of a Python stack trace that is none of an installed package: "models.py:28 x = self.pool(x)".
std::string users_line(const std::string& stack_trace);

}  // namespace vizd::etdump
