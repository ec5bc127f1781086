// Block: runs of the same events, as iterations of one another; ExecuTorch's Inspector calls it an event block. Refers
// to the ETDump's bytes. Plain data once formed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/packed_column.h"
#include "base/result.h"
#include "formats/etdump/collation.h"
#include "formats/etdump/etdump_file.h"
#include "formats/etdump/etrecord.h"

namespace vizd::etdump {

struct Statistics {
  double average = 0, p10 = 0, p50 = 0, p90 = 0, least = 0, greatest = 0;
};

// There must be values; percentiles lie between two of them as numpy has it.
Statistics statistics_of(std::vector<double> values);

// An event of a block: one in each of its runs.
struct BlockEvent {
  std::string name;  // a delegate's event has its id for a name
  std::optional<std::int32_t> instruction;
  bool is_delegated = false;
  std::optional<std::int32_t> delegate_number;  // the delegate's own id, which is a number or a text
  std::string delegate_text;
  std::uint32_t occurrence = 0;  // how many of a run's equal events come before it: iterations of a loop
  bool is_timed = false;         // whether it has profile events
  PackedIntegers starts, ends;   // ticks, by iteration
  std::vector<std::span<const std::byte>> metadata;  // likewise; empty where no iteration has any
  std::vector<LoggedValue> logged;                   // of one iteration: form_blocks()

  // In target units, and statistics of them: with read_blocks() (dump_blocks.h), which keeps none of the first where
  // the settings want none.
  std::vector<double> raw;
  std::optional<Statistics> statistics;
  std::vector<Value> values;  // those logged, with the debug buffer's data

  // The ETRecord tells these.
  std::optional<std::vector<std::int64_t>> debug_handles;
  std::optional<std::string> backend;  // the delegate's name
  std::vector<std::string> op_types;   // of the nodes, as often as handles name them
  bool has_op_of_kernel = false;       // the op type is told by the kernel's name, since the record has no node
  std::vector<std::uint32_t> nodes;    // places in the edge program of the block's method, none twice
  bool is_approximate = false;         // the nodes are those of the call around it, or were found by a part of the id

  std::size_t iterations() const { return starts.size(); }
  std::uint64_t start(std::size_t iteration) const { return static_cast<std::uint64_t>(starts[iteration]); }
  std::uint64_t end(std::size_t iteration) const { return static_cast<std::uint64_t>(ends[iteration]); }
  std::string delegate_id() const { return delegate_number ? std::to_string(*delegate_number) : delegate_text; }
};

struct Block {
  std::string name;
  std::int32_t bundled_input = -1;  // -1: none
  std::vector<std::uint32_t> runs;  // places in the file
  std::vector<BlockEvent> events;
  std::vector<LoggedValue> logged_outputs;  // of one run

  const Method* method = nullptr;  // of the ETRecord; null without one
  std::vector<Value> outputs;
  const std::vector<Value>* reference_outputs = nullptr;  // of the ETRecord, where whoever compares chose them

  bool has_values() const {
    return !outputs.empty() || std::ranges::any_of(events, [](const BlockEvent& e) { return !e.values.empty(); });
  }
};

// How runs become blocks: so that no event is lost, or by another program's rules.
struct Grouping {
  std::vector<CollatedEvent> (*collate)(const Run& run) = etdump::collate;
  // Events are named after the values that they logged; else only where nothing was timed.
  bool is_named_by_values = false;
  // An instruction of -1 that stands in the file is told as -1; else as none.
  bool tells_written_none = false;
  // Allocation events are refused with this error; none: they are no part of a block.
  std::optional<Error> allocation_error = std::nullopt;
};

// The file's runs by their events, with what was logged in that iteration of each block; of 0 in the first that logged
// anything. Errors: the file's; of the grouping, what it refuses.
Result<std::vector<Block>> form_blocks(const EtdumpFile& file, const Grouping& grouping, std::size_t iteration = 0);

}  // namespace vizd::etdump
