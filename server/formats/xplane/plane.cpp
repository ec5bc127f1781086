#include "formats/xplane/plane.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace vizd::xplane {
namespace {

constexpr std::string_view kDevice = "/device:";

// A field of a map: its key and the bytes of its value.
struct Entry {
  std::int64_t key = 0;
  std::string_view value;
};

// Packed numbers of a field that has single ones: read for nothing but to see that they are whole.
bool are_numbers(std::string_view bytes) {
  std::uint64_t number = 0;
  while (!bytes.empty()) {
    if (!take_protobuf_varint(bytes, number)) return false;
  }
  return true;
}

class PlaneReader {
 public:
  PlaneReader(Plane& plane, StringTable& strings) : plane_(plane), strings_(strings) {}

  bool read(std::string_view message) {
    std::vector<std::string_view> metadata, stats, lines;
    ProtobufFields fields(message);
    while (fields.next()) {
      if (fields.is(2, WireType::kBytes)) {
        plane_.name = fields.bytes();
      } else if (fields.is(3, WireType::kBytes)) {
        lines.push_back(fields.bytes());
      } else if (fields.is(4, WireType::kBytes)) {
        metadata.push_back(fields.bytes());
      } else if (fields.is(5, WireType::kBytes)) {
        if (!read_stat_metadata(fields.bytes())) return false;
      } else if (fields.is(6, WireType::kBytes)) {
        stats.push_back(fields.bytes());
      } else if (!skip(fields, {1})) {
        return false;
      }
    }
    if (fields.is_broken()) return false;
    const auto all = [](const auto& messages, auto&& reads) { return std::ranges::all_of(messages, reads); };
    return all(metadata, [&](std::string_view each) { return read_event_metadata(each); }) &&
           all(stats, [&](std::string_view each) { return read_plane_stat(each); }) &&
           all(lines, [&](std::string_view each) { return read_line(each); });
  }

 private:
  // A field without use: counted, unless it is one of these numbers. False where its packed numbers are broken.
  bool skip(const ProtobufFields& field, std::initializer_list<std::uint64_t> numbers) {
    const bool is_number = std::ranges::find(numbers, field.number()) != numbers.end();
    if (is_number && field.type() == WireType::kBytes) return are_numbers(field.bytes());
    if (!is_number || field.type() != WireType::kVarint) ++plane_.unknown_fields;
    return true;
  }

  std::optional<Entry> read_entry(std::string_view message) {
    Entry entry;
    ProtobufFields fields(message);
    while (fields.next()) {
      if (fields.is(1, WireType::kVarint)) {
        entry.key = fields.integer();
      } else if (fields.is(2, WireType::kBytes)) {
        entry.value = fields.bytes();
      } else if (!skip(fields, {1})) {
        return std::nullopt;
      }
    }
    return fields.is_broken() ? std::nullopt : std::optional(entry);
  }

  bool read_stat_metadata(std::string_view message) {
    const auto entry = read_entry(message);
    if (!entry) return false;
    std::string_view name;
    ProtobufFields fields(entry->value);
    while (fields.next()) {
      if (fields.is(2, WireType::kBytes)) {
        name = fields.bytes();
      } else if (!fields.is(3, WireType::kBytes) && !skip(fields, {1})) {
        return false;
      }
    }
    plane_.names.add(entry->key, name);
    return !fields.is_broken();
  }

  bool read_event_metadata(std::string_view message) {
    const auto entry = read_entry(message);
    if (!entry) return false;
    EventMetadata metadata;
    ProtobufFields fields(entry->value);
    while (fields.next()) {
      if (fields.is(2, WireType::kBytes)) {
        metadata.name = fields.bytes();
      } else if (fields.is(4, WireType::kBytes)) {
        metadata.display_name = fields.bytes();
      } else if (fields.is(5, WireType::kBytes)) {
        Stat stat;
        if (!read_stat(fields.bytes(), plane_.names, stat, plane_.unknown_fields)) return false;
        if (stat.name->known != Known::kOther) metadata.stats.emplace_back(stat.name->known, stat.value);
      } else if (!fields.is(3, WireType::kBytes) && !skip(fields, {1, 6})) {
        return false;
      }
    }
    metadata.name_id = strings_.add(metadata.name);
    const auto [place, is_new] =
        plane_.metadata_places.try_emplace(entry->key, static_cast<std::uint32_t>(plane_.metadata.size()));
    if (is_new) {
      plane_.metadata.push_back(std::move(metadata));
    } else {
      plane_.metadata[place->second] = std::move(metadata);
    }
    return !fields.is_broken();
  }

  bool read_plane_stat(std::string_view message) {
    Stat stat;
    if (!read_stat(message, plane_.names, stat, plane_.unknown_fields)) return false;
    plane_.stats[std::string(stat.name->text)] = stat.value;
    return true;
  }

  // Where its events lie; they are read later.
  bool read_line(std::string_view message) {
    PlaneLine line;
    LinePart part{.message = message};
    ProtobufFields fields(message);
    while (fields.next()) {
      if (fields.is(1, WireType::kVarint)) {
        line.id = fields.integer();
      } else if (fields.is(2, WireType::kBytes)) {
        line.name = fields.bytes();
      } else if (fields.is(3, WireType::kVarint)) {
        part.timestamp_ns = fields.integer();
      } else if (!fields.is(4, WireType::kBytes) && !fields.is(11, WireType::kBytes) && !skip(fields, {1, 3, 9, 10})) {
        return false;
      }
    }
    ++plane_.line_count;
    const auto [place, is_new] =
        places_.try_emplace(std::pair(line.id, line.name), static_cast<std::uint32_t>(plane_.lines.size()));
    if (is_new) plane_.lines.push_back(std::move(line));
    plane_.lines[place->second].parts.push_back(part);
    return !fields.is_broken();
  }

  Plane& plane_;
  StringTable& strings_;
  std::map<std::pair<std::int64_t, std::string_view>, std::uint32_t> places_;  // of lines, by id and name
};

// The first of the plane's stats of these names that is a number and not 0.
XlaNumber first_number(const Plane& plane, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const StatValue* const value = plane.find_stat(name);
    if (value == nullptr) continue;
    if (value->type == StatType::kDouble && value->real() != 0) return value->real();
    if (const auto number = value->integer(); number && *number != 0) return *number;
  }
  return std::nullopt;
}

XlaNumber scaled(const XlaNumber& number, double factor) {
  if (!number) return std::nullopt;
  return std::visit([&](auto value) { return static_cast<double>(value) * factor; }, *number);
}

std::string text_stat(const Plane& plane, std::string_view name) {
  const StatValue* const value = plane.find_stat(name);
  return value == nullptr ? "" : value->as_text();
}

}  // namespace

const StatValue* EventMetadata::find(Known known) const {
  const auto found = std::find_if(stats.rbegin(), stats.rend(), [&](const auto& stat) { return stat.first == known; });
  return found == stats.rend() ? nullptr : &found->second;
}

const StatValue* Plane::find_stat(std::string_view of_name) const {
  const auto found = stats.find(of_name);
  return found == stats.end() ? nullptr : &found->second;
}

std::string_view Plane::device() const {
  if (name == "/host:CPU") return "CPU";
  if (!name.starts_with(kDevice)) return "";
  const std::string_view of = name.substr(kDevice.size());
  return of.starts_with("TPU:") || of.starts_with("GPU:") ? of : std::string_view();
}

std::optional<Plane> read_plane(std::string_view message, StringTable& strings) {
  Plane plane(strings);
  if (!PlaneReader(plane, strings).read(message)) return std::nullopt;
  return plane;
}

std::pair<std::string_view, std::optional<std::uint64_t>> split_program(std::string_view name) {
  const std::size_t open = name.rfind('(');
  if (open == name.npos || !name.ends_with(')')) return {name, std::nullopt};
  std::string_view digits = name.substr(open + 1, name.size() - open - 2);
  const bool is_negative = digits.starts_with('-');
  if (is_negative) digits.remove_prefix(1);
  if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) return {name, std::nullopt};
  std::uint64_t number = 0;
  for (const char digit : digits) number = number * 10 + static_cast<std::uint64_t>(digit - '0');
  return {name.substr(0, open), is_negative ? 0 - number : number};
}

std::optional<std::int64_t> stream_number(std::string_view line) {
  constexpr std::string_view kStream = "Stream #";
  if (!line.starts_with(kStream)) return std::nullopt;
  line.remove_prefix(kStream.size());
  std::int64_t number = 0;
  const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), number);
  return failed == std::errc() && end != line.data() && number >= 0 ? std::optional(number) : std::nullopt;
}

void add_modules(const Plane& plane, std::vector<HloModuleBytes>& modules) {
  for (const EventMetadata& metadata : plane.metadata) {
    const StatValue* const proto = metadata.find(Known::kHloProto);
    if (proto == nullptr || proto->type != StatType::kBytes) continue;
    const auto [name, program_id] = split_program(metadata.name);
    modules.push_back({std::string(name), program_id, std::string(proto->text)});
  }
}

void describe_device(const Plane& plane, XlaDevice& device) {
  device.has_plane = true;
  device.type = text_stat(plane, "device_type_string");
  if (device.type.empty()) device.type = text_stat(plane, "gpu_device_name");
  device.vendor = text_stat(plane, "device_vendor");
  device.peak_flops = scaled(first_number(plane, {"peak_teraflops_per_second"}), 1e12);
  device.peak_bytes_per_s = scaled(first_number(plane, {"peak_hbm_bw_gigabytes_per_second"}), 1e9);
  if (!device.peak_bytes_per_s) device.peak_bytes_per_s = first_number(plane, {"memory_bandwidth"});
  device.memory_bytes = first_number(plane, {"memory_size"});
  device.cores = first_number(plane, {"core_count"});
  device.clock_khz = first_number(plane, {"clock_rate"});
}

}  // namespace vizd::xplane
