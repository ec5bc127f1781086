// Plane: a plane of an XPlane file as one pass over its top level finds it: its name and stats, the metadata of its
// events, and where its lines lie. Their events are read later, by what stands behind them. Refers to the file's bytes.
// One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/xplane/stats.h"
#include "model/xla_profile.h"

namespace vizd::xplane {

// What the plane says of a kind of events.
struct EventMetadata {
  std::string_view name, display_name;
  StringId name_id{};
  std::vector<std::pair<Known, StatValue>> stats;  // those with a meaning

  // Null where it is not there; of a stat given twice the last value.
  const StatValue* find(Known known) const;
};

// A stretch of events of a line; a line may be written in several.
struct LinePart {
  std::string_view message;
  std::int64_t timestamp_ns = 0;
};

struct PlaneLine {
  std::int64_t id = 0;
  std::string_view name;
  std::vector<LinePart> parts;
};

struct Plane {
  explicit Plane(StringTable& strings) : names(strings) {}

  std::string_view name;
  StatNames names;
  std::vector<PlaneLine> lines;  // each id and name once, in the order of the file
  std::size_t line_count = 0;    // as written
  std::unordered_map<std::int64_t, std::uint32_t> metadata_places;
  std::vector<EventMetadata> metadata;
  std::map<std::string, StatValue, std::less<>> stats;  // the plane's own; the last of each name
  std::uint64_t unknown_fields = 0;

  const StatValue* find_stat(std::string_view of_name) const;
  const EventMetadata* find_metadata(std::int64_t number) const {
    const auto found = metadata_places.find(number);
    return found == metadata_places.end() ? nullptr : &metadata[found->second];
  }
  // "TPU:0" of "/device:TPU:0", "CPU" of "/host:CPU"; "" of planes without work.
  std::string_view device() const;
  bool is_host() const { return name.starts_with("/host:"); }
};

// None where the message is broken.
std::optional<Plane> read_plane(std::string_view message, StringTable& strings);

// "jit_f" and 17 of "jit_f(17)"; no number of other names. Numbers are taken modulo 2^64.
std::pair<std::string_view, std::optional<std::uint64_t>> split_program(std::string_view name);

// 7 of "Stream #7(Compute)"; none of other lines.
std::optional<std::int64_t> stream_number(std::string_view line);

// Adds the modules that the plane holds, each with its packed bytes.
void add_modules(const Plane& plane, std::vector<HloModuleBytes>& modules);

// What the plane of a device says of that.
void describe_device(const Plane& plane, XlaDevice& device);

}  // namespace vizd::xplane
