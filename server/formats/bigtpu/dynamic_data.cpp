#include "formats/bigtpu/dynamic_data.h"

#include <fmt/core.h>

#include <algorithm>

#include "formats/bigtpu/blocks.h"

namespace vizd::bigtpu {
namespace {

enum ItemType : unsigned {
  kFunction = 0,
  kNodeSet = 1,
  kLastOldType = 7,
  kTiuList = 8,
  kCdmaList = 11,
  kIdReset = 12,
  kRvtNodeSet = 13,
  kBatchIndex = 14,
  kFunctionEnd = 15,
  kCustom = 100,
  kUnknown = 127,
};

constexpr std::size_t kItemBytes = 4, kWideItemBytes = 12;
constexpr std::size_t kExtraHeaderBytes = 12;

bool is_known_type(unsigned type, Reader reader) {
  const unsigned last = reader == Reader::kOriginal030 ? kIdReset : kFunctionEnd;
  return type <= last || type == kCustom || type == kUnknown;
}

unsigned type_of(std::uint32_t word) { return word & 0x7F; }

// Whether every item of that size has a known type, and those that name an engine one that the chip has. Words that are
// 0 may be anything: of items most are something.
bool reads_well(std::span<const std::byte> block, std::size_t item_bytes, const Chip& chip) {
  std::size_t empty = 0;
  for (std::size_t at = 0; at + item_bytes <= block.size(); at += item_bytes) {
    const std::uint32_t word = word_at(block.data() + at, 0);
    empty += word == 0 ? 1 : 0;
    const unsigned type = item_bytes == kItemBytes ? type_of(word) : word & 0xFF;
    if (!is_known_type(type, Reader::kVizd)) return false;
    const bool names_engine = type == kNodeSet || type == kIdReset || type == kRvtNodeSet;
    const unsigned engine = item_bytes == kItemBytes ? word >> 7 & 7 : word >> 8 & 7;
    if (names_engine && record_engine(chip, engine) == RecordEngine::kInvalid) return false;
    if (item_bytes != kItemBytes) continue;
    // Nothing that follows these is an item: a name's text, a count.
    if (type == kFunction) at += (std::size_t{word >> 7} + 3) / 4 * 4;
    if (type >= kTiuList && type <= kCdmaList) at += kItemBytes;
  }
  return empty * 2 <= block.size() / item_bytes;
}

}  // namespace

struct DynamicDataReader::Item {
  std::uint32_t word = 0;
  bool is_wide = false;  // of three words
  unsigned type = 0, engine = 0;
  std::int16_t command_type = 0, special = 0;
  std::uint16_t extra = 0;
};

std::string_view mode_name(Mode mode) {
  constexpr std::array<std::string_view, 4> kNames{"", "TDI", "RVT", "DES"};
  return kNames[static_cast<std::size_t>(mode)];
}

void read_details(std::span<const std::byte> block, std::vector<std::span<const std::byte>>& details) {
  std::size_t at = 0;
  while (block.size() - at >= kExtraHeaderBytes) {
    const std::size_t length = word_at(block.data() + at, 2);
    at += kExtraHeaderBytes;
    if (length > block.size() - at) return;
    details.push_back(block.subspan(at, length));
    at += length;
  }
}

DynamicDataReader::DynamicDataReader(const Chip& chip, Reader reader,
                                     std::span<const std::span<const std::byte>> details, std::int64_t first_scope,
                                     bool starts_anew_at_wrap)
    : chip_(chip),
      reader_(reader),
      details_(details),
      starts_anew_at_wrap_(starts_anew_at_wrap),
      next_port_id_(chip.port_count),
      scope_count_(first_scope) {
  commands_.of_port.resize(chip.port_count);
}

Result<void> DynamicDataReader::refuse(std::string original, const char* skip_reason) {
  if (reader_ != Reader::kVizd) return Error{ErrorKind::kBadInput, std::move(original), ""};
  ++skipped_[skip_reason];
  return {};
}

Result<void> DynamicDataReader::read(std::span<const std::byte> block) {
  const bool is_wide = reader_ == Reader::kVizd && block.size() % kWideItemBytes == 0 &&
                       !reads_well(block, kItemBytes, chip_) && reads_well(block, kWideItemBytes, chip_);
  const std::size_t item_bytes = is_wide ? kWideItemBytes : kItemBytes;
  std::vector<Item> items;
  items.reserve(block.size() / item_bytes);
  for (std::size_t at = 0; at + item_bytes <= block.size(); at += item_bytes) {
    const std::uint32_t word = word_at(block.data() + at, 0);
    Item item{.word = word, .is_wide = is_wide};
    const unsigned wide = is_wide ? 1 : 0;  // whose type has eight bits, and one more stands before the rest
    item.type = word & (is_wide ? 0xFFU : 0x7FU);
    item.engine = word >> (7 + wide) & 7;
    item.command_type = static_cast<std::int16_t>(word >> (10 + wide) & 31);
    item.special = static_cast<std::int16_t>(word >> (15 + wide) & 31);
    item.extra = static_cast<std::uint16_t>(is_wide ? word >> 22 : word >> 20);
    items.push_back(item);
  }
  return read_items(std::move(items));
}

Result<void> DynamicDataReader::read_items(std::vector<Item> items) {
  // Each block counts from the beginning.
  next_id_ = {};
  std::ranges::fill(next_port_id_, 0);
  next_detail_ = 0;
  function_ = -1;
  scope_ = batch_ = -1;
  const bool knows_functions = reader_ != Reader::kOriginal030;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    if (!is_known_type(item.type, reader_)) {
      VIZD_TRY(refuse(fmt::format("{} is not a valid DynRecordType", item.type), "dynamic records of unknown type"));
    } else if (item.type == kNodeSet || item.type == kRvtNodeSet) {
      VIZD_TRY(add_node(item, item.type == kNodeSet ? Mode::kTdi : Mode::kRvt));
    } else if (item.type == kIdReset) {
      VIZD_TRY(reset_ids(item));
    } else if (item.is_wide && item.type >= kTiuList) {
      ++skipped_["dynamic records of older firmware's messages"];
    } else if (item.type >= kTiuList && item.type <= kCdmaList) {
      VIZD_TRY(add_list(item, i + 1 < items.size() ? &items[i + 1] : nullptr));
      ++i;
    } else if (item.type == kFunction && knows_functions && !item.is_wide) {
      VIZD_TRY(read_function(items, i));
    } else if (item.type == kFunctionEnd) {
      function_ = -1;
      scope_ = -1;
    } else if (item.type == kBatchIndex) {
      batch_ = item.word >> 7;
    }
  }
  return {};
}

// The items of a name's text stand after item i, which becomes the last of them.
Result<void> DynamicDataReader::read_function(const std::vector<Item>& items, std::size_t& i) {
  const std::size_t length = items[i].word >> 7;
  const std::size_t words = std::min((length + 3) / 4, items.size() - i - 1);
  if (words < (length + 3) / 4)
    VIZD_TRY(refuse("list assignment index out of range", "names of functions that are cut"));
  std::string name;
  for (std::size_t w = 1; w <= words; ++w)
    name.append(reinterpret_cast<const char*>(&items[i + w].word), sizeof items[i + w].word);
  name.resize(std::min(length, name.size()));
  commands_.functions.push_back(std::move(name));
  function_ = static_cast<std::int32_t>(commands_.functions.size() - 1);
  scope_ = scope_count_++;
  i += words;
  return {};
}

Result<void> DynamicDataReader::add_node(const Item& item, Mode mode) {
  const RecordEngine engine = record_engine(chip_, item.engine);
  if (engine == RecordEngine::kInvalid)
    return refuse(fmt::format("{} is not a valid EngineType", item.engine), "commands of unknown engines");
  Command command{.type = item.command_type, .special = item.special, .extra = item.extra};
  command.tags = {mode, function_, scope_, batch_};
  if (!details_.empty() && mode != Mode::kRvt) {
    if (next_detail_ < details_.size()) {
      command.detail = details_[next_detail_++];
    } else {
      VIZD_TRY(refuse("list index out of range", "commands that were not noted down whole"));
    }
  }
  if (engine == RecordEngine::kOther) return {};
  if (engine == RecordEngine::kCdma) {
    const std::size_t port = item.extra >> 8;
    if (port >= next_port_id_.size())
      return refuse("list index out of range", "commands of CDMA ports that the chip does not have");
    command.id = next_port_id_[port]++;
    commands_.of_port[port].push_back(command);
    return {};
  }
  const auto place = static_cast<std::size_t>(engine);
  command.id = next_id_[place]++;
  commands_.of_engine[place].push_back(command);
  const bool may_wrap = reader_ == Reader::kOriginal030 ? starts_anew_at_wrap_ : mode == Mode::kRvt;
  if (may_wrap && engine != RecordEngine::kSdma) wrap_ids();
  return {};
}

// Where TIU's ids have reached their end, the firmware gives both engines one command more and they count anew.
void DynamicDataReader::wrap_ids() {
  auto& [tiu_id, gdma_id, sdma_id] = next_id_;
  if (!chip_.tiu_id_wrap || tiu_id != *chip_.tiu_id_wrap) return;
  commands_[Engine::kTiu].push_back({.id = tiu_id, .type = kTiuSystem, .special = 3});
  commands_[Engine::kGdma].push_back({.id = gdma_id, .type = kDmaSystem, .special = 3});
  tiu_id = gdma_id = 0;
}

Result<void> DynamicDataReader::reset_ids(const Item& item) {
  const RecordEngine engine = record_engine(chip_, item.engine);
  if (engine == RecordEngine::kInvalid)
    return refuse(fmt::format("{} is not a valid EngineType", item.engine), "resets of unknown engines' ids");
  if (engine == RecordEngine::kCdma) {
    const std::size_t port = item.extra >> 8;
    if (port >= next_port_id_.size())
      return refuse("list index out of range", "resets of CDMA ports that the chip does not have");
    next_port_id_[port] = 0;
  } else if (engine != RecordEngine::kOther) {
    next_id_[static_cast<std::size_t>(engine)] = 0;
  }
  return {};
}

Result<void> DynamicDataReader::add_list(const Item& item, const Item* next) {
  if (next == nullptr) return refuse("list index out of range", "lists of descriptors without their count");
  Command command{.is_list = true, .offset = item.word >> 7, .count = next->word};
  command.tags = {Mode::kDes, function_, scope_, batch_};
  next_id_ = {};
  std::ranges::fill(next_port_id_, 0);
  if (item.type != kCdmaList) {
    commands_.of_engine[item.type - kTiuList].push_back(command);
    return {};
  }
  const std::size_t port = command.count >> 28;
  command.count &= 0xFFFFFFF;
  if (port >= commands_.of_port.size())
    return refuse("list index out of range", "lists of CDMA ports that the chip does not have");
  commands_.of_port[port].push_back(command);
  return {};
}

}  // namespace vizd::bigtpu
