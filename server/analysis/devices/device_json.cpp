#include "analysis/devices/device_json.h"

#include "model/argument_json.h"

namespace vizd {
namespace {

void write_rate(JsonWriter& json, std::string_view key, const std::optional<double>& rate) {
  json.key(key);
  rate ? json.real(*rate) : json.null();
}

void write_count(JsonWriter& json, std::string_view key, const std::optional<std::int64_t>& count) {
  json.key(key);
  count ? json.number(*count) : json.null();
}

}  // namespace

void write_call_node(JsonWriter& json, const Capture& capture, const CallNode& node,
                     std::optional<std::uint32_t> parent, const WriteMore& write_more) {
  json.begin_object();
  write_count(json, "parent", parent);
  json.key("kind").text(frame_kind_name(node.kind)).key("name").text(frame_name(node, capture.strings));
  json.key("calls").number(node.calls).key("launches").number(node.launches).key("total_ns").number(node.total_ns);
  write_rate(json, "flop", node.flop > 0 ? std::optional(node.flop) : std::nullopt);
  write_rate(json, "bytes", node.bytes > 0 ? std::optional(node.bytes) : std::nullopt);
  if (write_more) write_more(json);
  json.end_object();
}

std::optional<std::string> rank_of(std::span<const ProfiledRank> profiles, const CollectiveLaunch& launch) {
  const ProfiledRank& profile = profiles[launch.profile];
  const WorkDevice& device = profile.work.device_of(profile.work.items[launch.item]);
  return device.rank ? std::optional(value_text(*device.rank, profile.capture.strings)) : std::nullopt;
}

void write_collective_row(JsonWriter& json, std::span<const ProfiledRank> profiles, const CollectiveRow& row,
                          const WriteMore& write_more) {
  json.begin_object().key("collective").text(collective_kind_name(row.kind)).key("name").text(row.name);
  json.key("group").text_or_null(row.group.empty() ? std::nullopt : std::optional<std::string_view>(row.group));
  write_count(json, "ranks", row.ranks);
  write_count(json, "bytes", row.bytes);
  json.key("count").number(row.count).key("seen_ranks").number(row.seen_ranks);
  json.key("transfer_ns").number(row.transfer_ns).key("total_ns").number(row.total_ns);
  write_rate(json, "algorithm_bytes_per_s", row.algorithm_bytes_per_s());
  write_rate(json, "bus_bytes_per_s", row.bus_bytes_per_s());
  write_count(json, "skew_total_ns", row.has_skew() ? std::optional(row.skew_total_ns) : std::nullopt);
  write_count(json, "skew_max_ns", row.has_skew() ? std::optional(row.skew_most_ns) : std::nullopt);
  const std::optional<std::string> last = row.last ? rank_of(profiles, *row.last) : std::nullopt;
  json.key("last_rank").text_or_null(last ? std::optional<std::string_view>(*last) : std::nullopt);
  write_count(json, "last_count", row.last ? std::optional(row.last_count) : std::nullopt);
  if (write_more) write_more(json);
  json.end_object();
}

void write_kernel_sequence(JsonWriter& json, const Capture& capture, const KernelSequence& sequence,
                           const WriteMore& write_more) {
  json.begin_object().column("kernels", sequence.names,
                             [&](JsonWriter& j, StringId name) { j.text(capture.strings.get(name)); });
  json.key("count").number(sequence.count).key("total_ns").number(sequence.total_ns);
  json.key("between_ns").number(sequence.between_ns).key("longest_ns").number(sequence.longest_ns);
  json.key("fusion_candidate").boolean(sequence.is_candidate);
  if (write_more) write_more(json);
  json.end_object();
}

void write_path_share(JsonWriter& json, const PathShare& share, std::int64_t path_ns, const WriteMore& write_more) {
  json.begin_object().key("kind").text(path_kind_name(share.kind));
  json.key("name").text_or_null(share.name.empty() ? std::nullopt : std::optional<std::string_view>(share.name));
  json.key("parts").number(share.parts).key("total_ns").number(share.total_ns);
  json.key("percent").real(path_ns == 0 ? 0 : 100 * static_cast<double>(share.total_ns) / static_cast<double>(path_ns));
  json.key("longest_ns").number(share.longest.to_ns - share.longest.from_ns);
  if (write_more) write_more(json);
  json.end_object();
}

}  // namespace vizd
