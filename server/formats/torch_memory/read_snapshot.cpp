// Reads a snapshot's file, and what the rest of the format asks of the snapshot.
#include <fmt/core.h>

#include <algorithm>

#include "formats/pickle/machine.h"
#include "formats/torch_memory/assembly.h"
#include "formats/torch_memory/viz_page.h"

namespace vizd::torch_memory {
namespace {

Result<void> make(SnapshotSink& sink, pickle::Node root, const FormatInput& input, Snapshot& into) {
  into.protocol = std::to_integer<unsigned>(input.bytes[1]);
  auto made = assemble(sink, root, into);
  if (made) return {};
  Error error = std::move(made).error();
  error.where = input.name;
  return error;
}

Result<std::unique_ptr<Snapshot>> read_pickle(const FormatInput& input) {
  auto snapshot = std::make_unique<Snapshot>();
  SnapshotSink sink(input.bytes, *snapshot);
  const auto fed = pickle::feed_pickle(input.bytes, input.name, sink, input.progress);
  if (!fed) return fed.error();
  VIZD_TRY(make(sink, fed->root, input, *snapshot));
  if (fed->size_bytes < input.bytes.size()) {
    snapshot->warnings.push_back(
        fmt::format("{}: {} bytes after the end of the snapshot are not read; are there two files in one?", input.name,
                    input.bytes.size() - fed->size_bytes));
  }
  return snapshot;
}

}  // namespace

Result<std::unique_ptr<Snapshot>> read_snapshot(const FormatInput& input) {
  if (!is_viz_page({reinterpret_cast<const char*>(input.bytes.data()), input.bytes.size()})) return read_pickle(input);
  const auto pickle = snapshot_in(input);
  if (!pickle) return pickle.error();
  return read_pickle({.name = input.name, .bytes = *pickle});
}

Result<std::unique_ptr<Snapshot>> read_first_entries(const FormatInput& input, unsigned parts) {
  FormatInput part = input;
  part.bytes = input.bytes.first(input.bytes.size() / parts);
  if (!pickle::looks_like_pickle(part.bytes))
    return Error{ErrorKind::kBadInput, "does not begin like a pickle", input.name};
  auto snapshot = std::make_unique<Snapshot>();
  SnapshotSink sink(part.bytes, *snapshot);
  const auto root = pickle::feed_beginning(part.bytes, part.name, sink);
  if (!root) return root.error();
  VIZD_TRY(make(sink, *root, part, *snapshot));
  // They are as they were after the last entry, which is not among these.
  snapshot->segments.clear();
  snapshot->blocks.clear();
  return snapshot;
}

std::vector<std::int64_t> Snapshot::devices() const {
  std::vector<std::int64_t> all;
  for (const Segment& segment : segments) all.push_back(segment.device);
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (traces[i].size() > 0) all.push_back(static_cast<std::int64_t>(i));
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

Trace Snapshot::trace_of(std::int64_t device) const {
  const bool has_one = device >= 0 && static_cast<std::uint64_t>(device) < traces.size();
  return has_one ? traces[static_cast<std::size_t>(device)] : Trace{};
}

std::span<const Segment> Snapshot::segments_of(std::int64_t device) const {
  return std::ranges::equal_range(segments, device, {}, &Segment::device);
}

}  // namespace vizd::torch_memory
