#include "formats/tinygrad/format.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "formats/pickle/machine.h"
#include "formats/tinygrad/reading/profile_reader.h"
#include "formats/tinygrad/reading/rewrites_reader.h"
#include "formats/tinygrad/v2025_09/dialect.h"
#include "formats/tinygrad/v2025_09/estimates.h"

namespace vizd::tinygrad {

bool sniff(std::span<const std::byte> bytes) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  constexpr std::size_t kShort = 256;  // empty lists of either kind name no class
  if (!pickle::looks_like_pickle(bytes)) return false;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kLookedAt));
  return text.size() < kShort || text.find("tinygrad.") != std::string_view::npos;
}

Result<void> read(const FormatInput& input, Capture& capture) {
  const auto refuse = [&](std::string message) { return Error{ErrorKind::kBadInput, std::move(message), input.name}; };
  const auto tree = pickle::read_pickle(input.bytes, input.name);
  if (!tree) return tree.error();
  const auto rewrites = rewrites_version(*tree);
  const auto profile = rewrites ? std::nullopt : profile_version(*tree);
  if (!rewrites && !profile) {
    return refuse("a pickle, but neither tinygrad's rewrites nor its profile; record them with VIZ=1");
  }
  if (rewrites.value_or(Version::k2025_09) == Version::k2026_08 ||
      profile.value_or(Version::k2025_09) == Version::k2026_08) {
    return refuse("written by a tinygrad newer than vizd knows (2026-08); record with one of 2025-09");
  }
  if (rewrites ? capture.has_rewrites : capture.has_profile) {
    return refuse("a second file of its kind for one capture; open it as a capture of its own");
  }
  if (rewrites) {
    VIZD_TRY(read_rewrites(*tree, *rewrites, input.name, capture));
    capture.has_rewrites = true;
    capture.dialect = tinygrad_2025_09::make_dialect(capture);
  } else {
    read_profile(*tree, tinygrad_2025_09::RunSpeed(), capture);
    capture.has_profile = true;
  }
  capture.format = "tinygrad-2025-09";
  return {};
}

}  // namespace vizd::tinygrad
