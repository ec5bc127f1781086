#include "reference/tinygrad/lanes.h"

#include <cstring>
#include <string_view>

#include "base/assert.h"
#include "base/parse_json.h"
#include "reference/tinygrad/profile.h"
#include "reference/tinygrad/viewer.h"

namespace vizd {
namespace {

class BodyReader {
 public:
  // keys: of buffers, by their numbers in the body.
  BodyReader(std::string_view body, const std::vector<std::uint64_t>& keys, ReferenceViewer viewer)
      : body_(body),
        keys_(keys),
        has_lines_(viewer >= ReferenceViewer::k0_13),
        is_newer_(viewer != ReferenceViewer::k2025_09) {}

  ReferenceProfile read() {
    ReferenceProfile out;
    out.dur_us = take<std::uint32_t>();
    take<std::uint64_t>();  // the highest peak
    const auto index_size = take<std::uint32_t>();
    const auto lane_count = take<std::uint32_t>();
    const auto index = parse_json(text(index_size));
    strings_ = index.at("strings").get<std::vector<std::string>>();
    for (const auto& marker : index.at("markers"))
      out.markers.push_back({marker.at("name").get<std::string>(), marker.at("ts").get<std::uint32_t>()});
    for (std::uint32_t i = 0; i < lane_count; ++i) out.lanes.push_back(lane());
    VIZD_ASSERT(body_.empty());
    return out;
  }

 private:
  template <typename T>
  T take() {
    VIZD_ASSERT(body_.size() >= sizeof(T));
    T value;
    std::memcpy(&value, body_.data(), sizeof(T));
    body_.remove_prefix(sizeof(T));
    return value;
  }
  std::string_view text(std::size_t size) {
    VIZD_ASSERT(body_.size() >= size);
    const std::string_view part = body_.substr(0, size);
    body_.remove_prefix(size);
    return part;
  }
  const std::string& string() { return strings_.at(take<std::uint32_t>()); }

  ReferenceLane lane() {
    ReferenceLane out;
    out.name = text(take<std::uint8_t>());
    const bool holds_events = take<std::uint8_t>() == 0;
    const auto count = take<std::uint32_t>();
    if (!holds_events) {
      const bool is_line = has_lines_ && take<std::uint8_t>() == 1;
      out.kind = is_line ? ReferenceLane::Kind::kLine : ReferenceLane::Kind::kMemory;
      out.peak = take<std::uint64_t>();
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (out.kind == ReferenceLane::Kind::kEvents) {
        out.events.push_back(event());
      } else if (out.kind == ReferenceLane::Kind::kMemory) {
        out.changes.push_back(change());
      } else {
        const auto at_us = take<std::uint32_t>();
        out.points.emplace_back(at_us, take<std::uint64_t>());
      }
    }
    return out;
  }

  ReferenceEvent event() {
    ReferenceEvent out;
    out.name = string();
    if (const auto context = take<std::uint32_t>(); context != 0) out.context = context - 1;
    if (is_newer_) take<std::uint32_t>();  // the launch
    out.at_us = take<std::uint32_t>();
    out.dur_us = take<float>();
    out.details = string();
    return out;
  }

  ReferenceChange change() {
    ReferenceChange out;
    out.is_alloc = take<std::uint8_t>() == 1;
    out.at_us = take<std::uint32_t>();
    out.key = keys_.at(take<std::uint32_t>());
    if (out.is_alloc) {
      out.dtype = string();
      out.count = take<std::uint64_t>();
    } else if (is_newer_) {
      const auto count = take<std::uint32_t>();
      for (std::uint32_t i = 0; i < count; ++i) {
        ReferenceUser& user = out.users.emplace_back();
        user.run = take<std::uint32_t>();
        user.name = string();
        user.argument = take<std::uint32_t>();
        user.mode = take<std::uint8_t>();
      }
    }
    return out;
  }

  std::string_view body_;
  const std::vector<std::uint64_t>& keys_;
  const bool has_lines_, is_newer_;
  std::vector<std::string> strings_;
};

}  // namespace

Result<ReferenceProfile> reference_lanes(const Capture& capture) {
  std::vector<std::uint64_t> keys;
  const auto body = reference_profile(capture, keys);
  if (!body) return body.error();
  return BodyReader(*body, keys, reference_viewer(capture)).read();
}

}  // namespace vizd
