#include "analysis/devices/collective_calls.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/devices/collective_kind.h"
#include "analysis/figures/argument_cursor.h"
#include "analysis/pytorch/operator_call.h"
#include "model/enclosing_spans.h"

namespace vizd {
namespace {

enum class SpanWord : std::uint8_t { kNone, kAnnotation, kOperator };

bool is_annotation(std::string_view name) {
  return name.starts_with("nccl:") || name.starts_with("gloo:") || name.starts_with("ucc:") || name.starts_with("mpi:");
}

// One track's calls of collectives.
class CallTrack {
 public:
  CallTrack(const Track& track, const StringTable& strings) : track_(track), strings_(strings) {}

  // What is known of launches at these moments, which grow, each with its item.
  void find(std::span<const std::pair<std::int64_t, std::uint32_t>> launches,
            std::map<std::uint32_t, CollectiveCall>& found) {
    EnclosingSpans annotations(track_.events, [&](std::uint32_t i) { return word_of(i) == SpanWord::kAnnotation; });
    EnclosingSpans operators(track_.events, [&](std::uint32_t i) { return word_of(i) == SpanWord::kOperator; });
    std::vector<std::array<std::optional<std::uint32_t>, 2>> spans;
    for (const auto& [start_ns, i] : launches) {
      spans.push_back({annotations.at(start_ns), operators.at(start_ns)});
      for (const auto& span : spans.back()) {
        if (span) bytes_[*span] = std::nullopt;
      }
    }
    read_bytes();
    for (std::size_t launch = 0; launch < launches.size(); ++launch) {
      const auto& [annotation, operation] = spans[launch];
      if (!annotation && !operation) continue;
      const std::string_view name = name_of(annotation ? *annotation : *operation);
      CollectiveCall& call = found[launches[launch].second];
      call.name = name.substr(name.rfind(':') + 1);
      for (const auto& span : spans[launch]) {
        if (span) call.bytes = std::max(call.bytes, bytes_[*span]);
      }
    }
  }

 private:
  std::string_view name_of(std::uint32_t event) const { return strings_.get(track_.events.name(event)); }

  SpanWord word_of(std::uint32_t event) {
    const auto [word, is_new] = words_.try_emplace(track_.events.name(event), SpanWord::kNone);
    if (is_new) {
      const std::string_view name = name_of(event);
      const bool is_named =
          name.find("::") != std::string_view::npos && collective_kind(name) != CollectiveKind::kOther;
      word->second = is_annotation(name) ? SpanWord::kAnnotation : is_named ? SpanWord::kOperator : SpanWord::kNone;
    }
    const bool may_be = word->second != SpanWord::kOperator || track_.events.role(event) == EventRole::kOperator;
    return may_be ? word->second : SpanWord::kNone;
  }

  std::string_view text(const std::optional<ArgumentValue>& value) const {
    const auto* const id = value ? std::get_if<StringId>(&*value) : nullptr;
    return id == nullptr ? std::string_view() : strings_.get(*id);
  }

  void read_bytes() {
    ArgumentCursor dims(track_, "Input Dims", strings_), types(track_, "Input type", strings_);
    ArgumentCursor older_types(track_, "Input types", strings_);
    for (auto& [event, bytes] : bytes_) {
      const auto type = types.at(event), older_type = older_types.at(event);
      const std::string_view name = name_of(event);
      bytes = bytes_of(
          {.name = name, .dims = text(dims.at(event)), .types = text(type ? type : older_type), .concrete = {}});
    }
  }

  // The bytes of the largest tensor that goes in or is to be filled. An annotation's tensors are parts of one: they are
  // added up.
  static std::optional<std::int64_t> bytes_of(const OperatorInputs& inputs) {
    const OperatorCall call(inputs);
    double largest = 0, all = 0;
    for (std::size_t i = 0; i < call.size(); ++i) {
      if (!call.is_tensor(i)) continue;
      const Bytes bytes = call.input(i);
      if (!bytes) return std::nullopt;
      largest = std::max(largest, *bytes);
      all += *bytes;
    }
    const double bytes = is_annotation(inputs.name) ? all : largest;
    constexpr auto kMost = static_cast<double>(std::int64_t{1} << 50);
    return bytes > 0 && bytes < kMost ? std::optional(static_cast<std::int64_t>(bytes)) : std::nullopt;
  }

  const Track& track_;
  const StringTable& strings_;
  std::map<StringId, SpanWord> words_;
  std::map<std::uint32_t, std::optional<std::int64_t>> bytes_;  // by event, in whose order arguments are read
};

}  // namespace

std::map<std::uint32_t, CollectiveCall> find_collective_calls(const Capture& capture, const DeviceWork& work,
                                                              std::span<const std::uint32_t> items) {
  std::map<std::uint32_t, std::vector<std::pair<std::int64_t, std::uint32_t>>> by_track;
  for (const std::uint32_t i : items) {
    if (const std::uint32_t call = work.items[i].call; call != kNoId)
      by_track[work.calls[call].track].emplace_back(work.calls[call].start_ns, i);
  }
  std::map<std::uint32_t, CollectiveCall> found;
  for (auto& [track, launches] : by_track) {
    std::ranges::sort(launches);
    CallTrack(capture.profile.tracks[track], capture.strings).find(launches, found);
  }
  return found;
}

}  // namespace vizd
