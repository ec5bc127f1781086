#include "timeline/tile_query.h"

namespace vizd {

Window tile_window(const Profile& profile, unsigned level, std::uint64_t tile, bool whole) {
  const unsigned bits = level + kUnitBitsPerColumn + kColumnBitsPerTile;
  const std::int64_t from_ns = profile.start_ns + (whole ? 0 : static_cast<std::int64_t>(tile << bits));
  // An event that begins where the profile ends is in it too.
  const std::int64_t to_ns = whole ? profile.end_ns + 1 : from_ns + (std::int64_t{1} << bits);
  return {from_ns, to_ns, level + kUnitBitsPerColumn, from_ns};
}

}  // namespace vizd
