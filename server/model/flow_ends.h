// FlowEnds: the ends of flows as a capture recorded them, one by one: that something goes on elsewhere under this id.
// Many have no other end. Kept so that they can be counted and written again; what leads to what is Profile::flows.
// Plain data, filled by a format.
#pragma once

#include <cstdint>

#include "base/column.h"
#include "base/string_table.h"

namespace vizd {

struct FlowEnd {
  enum class Kind : std::uint8_t { kStart, kStep, kFinish };
  enum class IdType : std::uint8_t { kNone, kInteger, kText };

  std::int64_t at_ns = 0;
  std::uint32_t track = 0;
  StringId category{};
  std::int64_t id = 0;  // of a text: its StringId
  IdType id_type = IdType::kInteger;
  Kind kind = Kind::kStart;
  bool is_of_enclosing = false;  // belongs to the event around it, not to the next one
};

class FlowEnds {
 public:
  std::size_t size() const { return at_ns_.size(); }
  bool empty() const { return at_ns_.empty(); }

  void push_back(const FlowEnd& end) {
    category_.set(size(), static_cast<std::uint32_t>(end.category));
    at_ns_.push_back(end.at_ns);
    track_.push_back(end.track);
    id_.push_back(end.id);
    traits_.push_back(static_cast<std::uint8_t>(static_cast<unsigned>(end.kind) |
                                                static_cast<unsigned>(end.id_type) << kIdTypeShift |
                                                (end.is_of_enclosing ? kOfEnclosing : 0u)));
  }

  FlowEnd operator[](std::size_t i) const {
    return {.at_ns = at_ns_[i],
            .track = track_[i],
            .category = StringId{category_[i]},
            .id = id_[i],
            .id_type = static_cast<FlowEnd::IdType>(traits_[i] >> kIdTypeShift & 3u),
            .kind = static_cast<FlowEnd::Kind>(traits_[i] & 3u),
            .is_of_enclosing = (traits_[i] & kOfEnclosing) != 0};
  }

  void set_track(std::size_t i, std::uint32_t track) { track_.set(i, track); }

 private:
  static constexpr unsigned kIdTypeShift = 2, kOfEnclosing = 1u << 4;

  Column<std::int64_t> at_ns_;
  Column<std::uint32_t> track_;
  Column<std::int64_t> id_;
  SparseColumn<std::uint32_t, 0> category_;
  Column<std::uint8_t> traits_;  // kind, type of the id, kOfEnclosing
};

}  // namespace vizd
