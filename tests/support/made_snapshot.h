// Memory snapshots of PyTorch as documents, and pickled as Python does it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/pickle_writer.h"

namespace vizd::made_snapshot {

using Document = nlohmann::ordered_json;

// A document as Python pickles it. Two numbers in a list are a tuple, as pools are written.
inline void write(PickleWriter& out, const Document& value) {
  if (value.is_object()) {
    out.dict().mark();
    for (const auto& [key, item] : value.items()) write(out.text(key), item);
    out.set_items();
  } else if (value.is_array() && value.size() == 2 && value[0].is_number() && value[1].is_number()) {
    write(out, value[0]);
    write(out, value[1]);
    out.raw("\x86");
  } else if (value.is_array()) {
    out.list().mark();
    for (const Document& item : value) write(out, item);
    out.appends();
  } else if (value.is_string()) {
    out.text(value.get<std::string>());
  } else if (value.is_boolean()) {
    out.boolean(value.get<bool>());
  } else if (value.is_number_float()) {
    out.raw(std::string_view("G\0\0\0\0\0\0\0\0", 9));
  } else {
    std::string bytes("\x8a\x09");
    const std::uint64_t number = value.get<std::uint64_t>();
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
    bytes += value.is_number_unsigned() || value.get<std::int64_t>() >= 0 ? '\0' : '\xFF';
    out.raw(bytes);
  }
}

inline std::string pickled(const Document& document) {
  PickleWriter out;
  write(out, document);
  return out.finish();
}

inline Document entry(const std::string& action, std::uint64_t address, std::int64_t size, std::int64_t time_us) {
  return {{"action", action}, {"addr", address}, {"size", size}, {"stream", 0}, {"time_us", time_us}};
}

struct BlockRow {
  std::int64_t size, requested;
  std::string state;
};

inline Document segment(std::uint64_t address, const std::vector<BlockRow>& rows, bool is_expandable = false) {
  Document blocks = Document::array();
  std::int64_t size = 0, allocated = 0, active = 0, requested = 0;
  for (const BlockRow& row : rows) {
    blocks.push_back({{"address", address + static_cast<std::uint64_t>(size)},
                      {"size", row.size},
                      {"requested_size", row.requested},
                      {"state", row.state},
                      {"frames", Document::array()}});
    size += row.size;
    if (row.state != "inactive") active += row.size, requested += row.requested;
    if (row.state == "active_allocated") allocated += row.size;
  }
  return {{"device", 0},
          {"address", address},
          {"total_size", size},
          {"stream", 0},
          {"allocated_size", allocated},
          {"active_size", active},
          {"requested_size", requested},
          {"segment_type", "large"},
          {"segment_pool_id", {0, 0}},
          {"is_expandable", is_expandable},
          {"frames", Document::array()},
          {"blocks", blocks}};
}

}  // namespace vizd::made_snapshot
