// Ids are enum classes over uint32_t, so that a node is never taken for a string; index() makes one an array index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace vizd {

template <typename Id>
requires std::is_enum_v<Id>
constexpr std::size_t index(Id id) { return static_cast<std::size_t>(id); }

template <typename Id>
requires std::is_enum_v<Id>
constexpr Id to_id(std::size_t i) { return static_cast<Id>(static_cast<std::uint32_t>(i)); }

// No id at all: "no context", "never died".
inline constexpr std::uint32_t kNoId = 0xFFFFFFFFu;

// An id as JSON has it: -1 where there is none.
constexpr std::int64_t or_minus_one(std::uint32_t id) { return id == kNoId ? -1 : std::int64_t{id}; }
template <typename Id>
requires std::is_enum_v<Id>
constexpr std::int64_t or_minus_one(Id id) { return or_minus_one(static_cast<std::uint32_t>(id)); }

}  // namespace vizd
