// Where the values of ops lie: in a device's memory, in registers, as the compiler's own viewer colours them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "model/op_graph.h"

namespace vizd {

struct OpMemory {
  std::string_view name;    // as the compiler calls it
  std::string_view colour;  // "#rrggbb"
};

// Offered by an OpAnalysis (model/dialect.h) that knows it. As that, it belongs to one thread.
class TellsMemory {
 public:
  virtual ~TellsMemory() = default;

  // All there are; empty where the capture does not tell.
  virtual std::span<const OpMemory> memories() const = 0;
  // The op's, by its place among them. Asked sources before users.
  virtual std::optional<std::size_t> memory_of(OpId id) = 0;
};

struct Capture;

// Whether it is known of the capture's ops.
bool tells_memory(const Capture& capture);

}  // namespace vizd
