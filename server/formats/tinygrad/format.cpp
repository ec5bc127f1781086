#include "formats/tinygrad/format.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/pickle/machine.h"
#include "formats/tinygrad/claim.h"
#include "formats/tinygrad/reading/profile_reader.h"
#include "formats/tinygrad/reading/rewrites_reader.h"
#include "formats/tinygrad/unknown_parts.h"
#include "formats/tinygrad/version.h"

namespace vizd::tinygrad {

bool sniff(const FileBeginning& beginning) {
  constexpr std::size_t kLookedAt = std::size_t{64} << 10;
  constexpr std::size_t kShort = 256;  // empty lists of either kind name no class
  if (!pickle::looks_like_pickle(beginning.bytes)) return false;
  const std::string_view text = beginning.text().substr(0, kLookedAt);
  return text.size() < kShort || text.find("tinygrad.") != std::string_view::npos;
}

namespace {

// Which passes come by calls: a graph has one where its root or any op below it is one.
void mark_calls(Capture& capture) {
  const OpGraph& ops = capture.ops;
  std::vector<bool> has_call(ops.size());
  bool any = false;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const Op op = ops.op(to_id<OpId>(i));
    has_call[i] = capture.dialect->keeps_first_source(ops, op);
    for (const OpId source : op.src) has_call[i] = has_call[i] || has_call[index(source)];
    any = any || has_call[i];
  }
  if (!any) return;
  for (Pass& pass : capture.rewrites.passes) {
    pass.meets_calls = has_call[index(pass.sink)];
    for (const Match& match : capture.rewrites.matches_of(pass)) {
      pass.meets_calls = pass.meets_calls || has_call[index(match.after)];
    }
  }
}

}  // namespace

Result<void> read(const FormatInput& input, Capture& capture) {
  const auto refuse = [&](std::string message) { return Error{ErrorKind::kBadInput, std::move(message), input.name}; };
  // One file of a pair may be anything.
  if (!pickle::looks_like_pickle(input.bytes)) return unknown_format(input.name);
  const auto tree = pickle::read_pickle(input.bytes, input.name);
  if (!tree) return tree.error();
  const Version* const rewrites = rewrites_version(*tree);
  const Version* const version = rewrites != nullptr ? rewrites : profile_version(*tree);
  if (version == nullptr && is_before_traces(*tree)) {
    return refuse(
        "was written by tinygrad 0.10.3 or older, whose rewrites vizd does not read; its own viewer does: python -m "
        "tinygrad.viz.serve --kernels FILE");
  }
  if (version == nullptr) {
    return refuse("a pickle, but neither tinygrad's rewrites nor its profile; record them with VIZ=1");
  }
  if (version->make_dialect == nullptr) {
    return refuse(fmt::format("was written by a tinygrad newer than vizd knows ({}); record with one of {}",
                              version->month, versions()[0]->month));
  }
  if (rewrites != nullptr ? capture.has_rewrites : capture.has_profile) {
    return refuse("a second file of its kind for one capture; open it as a capture of its own");
  }
  if (rewrites != nullptr) {
    VIZD_TRY(read_rewrites(*tree, *version, input.name, capture));
    if (version->complete != nullptr) version->complete(capture);
    capture.has_rewrites = true;
    capture.dialect = version->make_dialect(capture);
    mark_calls(capture);
    if (!version->note.empty()) capture.notes.emplace_back(version->note);
  } else {
    const auto measure = version->measure_executions == nullptr ? MeasureExecution() : version->measure_executions();
    read_profile(*tree, *version, measure, capture);
    capture.has_profile = true;
  }
  if (tree->size_bytes < input.bytes.size()) {
    capture.warnings.push_back(fmt::format(
        "{}:{}: the {} bytes from here on follow the pickle and are not read: are there two pickles in one file?",
        input.name, tree->size_bytes, input.bytes.size() - tree->size_bytes));
  }
  tell_unknown(*tree, *version, capture);
  if (rewrites != nullptr || !capture.has_rewrites) capture.format = version->format;
  return {};
}

namespace {

constexpr FileOption kFileOptions[] = {
    {"kernels", kRewrites, "A tinygrad rewrites.pkl"},
    {"profile", kProfile, "The profile.pkl that belongs to it"},
    {"rewrites-path", kRewrites, "The same as --kernels, named as in tinygrad 0.14.0"},
    {"profile-path", kProfile, "The same as --profile, named as in tinygrad 0.14.0"},
};
constexpr std::string_view kExamples[] = {"data/tinygrad-2025-09/ramp.", "data/tinygrad-2026-08/ramp."};

}  // namespace

constinit const Format kFormat{
    .name = "tinygrad",
    .suffix = ".pkl",
    .hint = {.files = "the rewrites.pkl or profile.pkl that tinygrad leaves under VIZ=1",
             .how_to_make = "Run your program with tinygrad's tracing on:",
             .command = "DEV=CPU VIZ=-1 python your_program.py",
             .default_files = "the captures that tinygrad left last ($TMPDIR/{rewrites,profile}.pkl.$USER)"},
    .file_options = kFileOptions,
    .examples = kExamples,
    .sniff = sniff,
    .claim = [](std::span<const ListedFile> listing) { return claim(kFormat, listing); },
    .default_set = [] { return default_set(kFormat); },
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
