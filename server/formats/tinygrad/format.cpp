#include "formats/tinygrad/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "formats/pickle/machine.h"
#include "formats/tinygrad/claim.h"
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
  // One file of a pair may be anything.
  if (!pickle::looks_like_pickle(input.bytes)) return unknown_format(input.name);
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
    read_profile(*tree, *version, version->measure_executions(), capture);
    capture.has_profile = true;
  }
  capture.format = version->format;
  return {};
}

namespace {

constexpr FileOption kFileOptions[] = {
    {"kernels", kRewrites, "A tinygrad rewrites.pkl"},
    {"profile", kProfile, "The profile.pkl that belongs to it"},
};

}  // namespace

constinit const Format kFormat{
    .name = "tinygrad",
    .suffix = ".pkl",
    .hint = {.files = "the rewrites.pkl or profile.pkl that tinygrad leaves under VIZ=1",
             .how_to_make = "Run your program with tinygrad's tracing on:",
             .command = "VIZ=1 PROFILE=1 python your_program.py",
             .default_files = "the captures that tinygrad left last ($TMPDIR/{rewrites,profile}.pkl.$USER)"},
    .file_options = kFileOptions,
    .sniff = sniff,
    .claim = claim,
    .default_set = default_set,
    .read =
        [](OpenSet& set, Capture& capture) {
          return set.read_each([&](const FormatInput& input) { return read(input, capture); });
        },
    .find_dialect =
        [](std::string_view capture_format) {
          const Version* version = version_by_format(capture_format);
          return version != nullptr ? version->make_dialect : nullptr;
        },
};

}  // namespace vizd::tinygrad
