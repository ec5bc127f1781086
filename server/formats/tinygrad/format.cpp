#include "formats/tinygrad/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "formats/pickle/machine.h"
#include "formats/tinygrad/reading/profile_reader.h"
#include "formats/tinygrad/reading/rewrites_reader.h"
#include "formats/tinygrad/version.h"

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
  const Version* const rewrites = rewrites_version(*tree);
  const Version* const version = rewrites != nullptr ? rewrites : profile_version(*tree);
  if (version == nullptr) {
    return refuse("a pickle, but neither tinygrad's rewrites nor its profile; record them with VIZ=1");
  }
  if (version->make_dialect == nullptr) {
    return refuse(fmt::format("written by a tinygrad newer than vizd knows ({}); record with one of {}", version->month,
                              versions()[0]->month));
  }
  if (rewrites != nullptr ? capture.has_rewrites : capture.has_profile) {
    return refuse("a second file of its kind for one capture; open it as a capture of its own");
  }
  if (rewrites != nullptr) {
    VIZD_TRY(read_rewrites(*tree, *version, input.name, capture));
    capture.has_rewrites = true;
    capture.dialect = version->make_dialect(capture);
  } else {
    read_profile(*tree, *version, version->describe_runs(), capture);
    capture.has_profile = true;
  }
  capture.format = version->format;
  return {};
}

}  // namespace vizd::tinygrad
