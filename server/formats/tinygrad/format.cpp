#include "formats/tinygrad/format.h"

#include "formats/tinygrad/pickle_machine.h"
#include "formats/tinygrad/rewrites_reader.h"

namespace vizd::tinygrad {

bool sniff(std::span<const std::byte> bytes) { return pickle::looks_like_pickle(bytes); }

Result<void> read(const FormatInput& input, Capture& capture) {
  const auto tree = pickle::read_pickle(input.bytes, input.name);
  if (!tree) return tree.error();
  if (const auto version = rewrites_version(*tree)) {
    if (capture.has_rewrites) {
      return Error{ErrorKind::kBadInput, "a second rewrites.pkl for one capture; open it beside the first", input.name};
    }
    VIZD_TRY(read_rewrites(*tree, *version, input.name, capture));
    capture.has_rewrites = true;
    capture.format = *version == Version::k2025_09 ? "tinygrad-2025-09" : "tinygrad-2026-08";
    return {};
  }
  return Error{ErrorKind::kBadInput,
               "a pickle, but of neither tinygrad's rewrites nor its profile; record one with VIZ=1", input.name};
}

}  // namespace vizd::tinygrad
