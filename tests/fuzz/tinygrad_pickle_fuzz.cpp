// Reads arbitrary bytes as a tinygrad capture, twice: as they are, and, since most damage is caught by the pickle
// machine or by the question which file it is, straight through both readers.
#include <cstddef>
#include <cstdint>

#include "base/assert.h"
#include "formats/pickle/machine.h"
#include "formats/registry.h"
#include "formats/tinygrad/reading/profile_reader.h"
#include "formats/tinygrad/reading/rewrites_reader.h"

using namespace vizd;

namespace {

void check(const Capture& capture) {
  for (const Pass& pass : capture.rewrites.passes) VIZD_ASSERT(index(pass.sink) < capture.ops.size());
  for (const Match& match : capture.rewrites.matches) {
    VIZD_ASSERT(index(match.before) < capture.ops.size() && index(match.after) < capture.ops.size());
    VIZD_ASSERT(index(match.rule) < capture.rewrites.locations.size());
  }
  for (std::size_t i = 0; i < capture.ops.size(); ++i) {
    for (const OpId source : capture.ops.src(to_id<OpId>(i))) VIZD_ASSERT(index(source) < i);
  }
  for (std::size_t i = 0; i < capture.values.size(); ++i) {
    const auto id = to_id<ValueId>(i);
    const ValueId equal = capture.values.equality(id);
    VIZD_ASSERT(capture.values.equality(equal) == equal);
    for (const ValueId item : capture.values.items(id)) VIZD_ASSERT(index(item) < i);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const FormatInput input{"fuzz", {reinterpret_cast<const std::byte*>(data), size}};
  Capture capture;
  if (read_capture(input, capture)) check(capture);

  const auto tree = pickle::read_pickle(input.bytes, input.name);
  if (!tree) return 0;
  if (const auto* version = tinygrad::rewrites_version(*tree); version != nullptr) {
    Capture rewrites;
    if (tinygrad::read_rewrites(*tree, *version, input.name, rewrites)) check(rewrites);
  } else if (const auto* by_events = tinygrad::profile_version(*tree); by_events != nullptr) {
    Capture profile;
    tinygrad::read_profile(*tree, *by_events, {}, profile);
    check(profile);
  }
  return 0;
}
