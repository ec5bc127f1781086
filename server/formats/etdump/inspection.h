// Inspection: what an ETDump tells once its debug buffer and its ETRecord are laid beside it: blocks with durations,
// statistics, values, and the nodes that events stand for. Refers to the record and to the files' bytes. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "formats/etdump/blocks.h"
#include "formats/etdump/etdump_file.h"
#include "formats/etdump/etrecord.h"
#include "formats/etdump/numeric_gap.h"
#include "formats/etdump/settings.h"

namespace vizd::etdump {

struct ReferenceDump;  // reference_dump.h

struct Inspection {
  Settings settings;
  std::vector<Block> blocks;
  const EtRecord* record = nullptr;  // null: none was given
  ReferenceValues reference_tensors;
  const ReferenceDump* reference = nullptr;  // another run, whose values these are compared with; null: none
  std::vector<std::string> warnings;
};

struct Sources {
  const EtdumpFile* file = nullptr;
  const EtRecord* record = nullptr;                                       // null: none
  std::optional<std::span<const std::byte>> debug_buffer = std::nullopt;  // none: logged tensors have no data
  const ReferenceDump* reference = nullptr;                               // null: none
};

// Errors: the file's; where the Inspector's answer is asked for and it has none, that in its words.
Result<Inspection> inspect(const Sources& sources, const Settings& settings);

// Whether the event is one of the runtime itself: of no node, whatever instruction it names.
bool is_of_framework(const std::string& name);
// Whether it is around the work of an instruction, and tells what the call costs besides.
bool is_operator_call(const std::string& name);

// The events of a block that logged values, as numeric_gap.h takes them: they refer to the block.
std::vector<GapEvent> gap_events(const Block& block);

// The keys of all modules that the block's nodes stand in, sorted, and what find_total_for_module() answers for a key:
// the sum of the averages of events with a node in a module whose key holds the text.
std::vector<std::string> module_keys(const Inspection& inspection);
double inspector_module_total(const Inspection& inspection, const std::string& key);

}  // namespace vizd::etdump
