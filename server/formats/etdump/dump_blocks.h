// DumpBlocks: an ETDump with its debug buffer and its ETRecord laid beside it: blocks with durations, statistics,
// values, and the nodes that events stand for. Refers to the record and to the files' bytes. Plain data.
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
#include "formats/etdump/settings.h"

namespace vizd::etdump {

struct Sources {
  const EtdumpFile* file = nullptr;
  const EtRecord* record = nullptr;                                       // null: none
  std::optional<std::span<const std::byte>> debug_buffer = std::nullopt;  // none: logged tensors have no data
};

struct DumpBlocks {
  Settings settings;
  std::vector<Block> blocks;
  const EtRecord* record = nullptr;  // null: none was given
  std::vector<std::string> warnings;
  std::uint64_t tensors_without_buffer = 0;  // logged ones, whose values are in a debug buffer that is not given
};

// Rules of another program than vizd; null: as vizd does.
struct BlockRules {
  Grouping grouping = {};
  // Gives the block its method and its events their nodes (resolution.h).
  Result<void> (*resolve)(const EtRecord& record, Block& block) = nullptr;
  // How long an event took in an iteration, in target units.
  Result<double> (*duration)(const BlockEvent& event, std::size_t iteration, const Settings& settings) = nullptr;
};

// Errors: the file's; a method that the record does not have; what the rules refuse.
Result<DumpBlocks> read_blocks(const Sources& sources, const Settings& settings, const BlockRules& rules = {});

}  // namespace vizd::etdump
