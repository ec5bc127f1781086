// ArgumentPlaces: which column of its track an argument goes to. Found by a hash, since a track may have thousands of
// columns and a profile millions of arguments. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "base/ids.h"
#include "model/track.h"

namespace vizd::native {

class ArgumentPlaces {
 public:
  // So many columns a track may have.
  static constexpr std::size_t kMost = std::size_t{1} << 12;

  explicit ArgumentPlaces(const std::vector<Track>& tracks) : tracks_(tracks) {}

  // The track's column of that name, unit and type, new where it has none; null where it has too many.
  ArgumentColumn* find_or_add(Track& track, StringId name, StringId unit, ArgumentType type) {
    const Key key{static_cast<std::uint32_t>(&track - tracks_.data()), name, unit, type};
    const auto [found, added] = places_.try_emplace(key, kNoId);
    if (added && track.arguments.size() < kMost) {
      const ArgumentColumn& column = find_or_add_argument(track.arguments, name, unit, type);
      found->second = static_cast<std::uint32_t>(&column - track.arguments.data());
    }
    return found->second == kNoId ? nullptr : &track.arguments[found->second];
  }

 private:
  struct Key {
    std::uint32_t track;
    StringId name, unit;
    ArgumentType type;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t bits = key.track;
      for (const std::uint64_t part :
           {std::uint64_t{index(key.name)}, std::uint64_t{index(key.unit)}, static_cast<std::uint64_t>(key.type)}) {
        bits = (bits ^ part) * 0x9E3779B97F4A7C15u;
        bits ^= bits >> 29;
      }
      return bits;
    }
  };

  const std::vector<Track>& tracks_;  // the capture's
  std::unordered_map<Key, std::uint32_t, Hash> places_;
};

}  // namespace vizd::native
