#include "formats/torch_memory/assembly.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

namespace vizd::torch_memory {
namespace {

using pickle::Kind;
using pickle::Node;

constexpr std::size_t kMostDevices = 1024;
// Sums of sizes stay below this, and so within 64 bits once they are rounded up.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 61;
constexpr std::string_view kKnownTop[] = {"segments", "device_traces", "allocator_settings", "external_annotations"};

class Assembly {
 public:
  Assembly(SnapshotSink& sink, Snapshot& out) : sink_(sink), out_(out) {}

  Result<void> run(Node root) {
    std::uint32_t segments = kNoId, traces = kNoId, annotations = kNoId;
    if (root.is(Kind::kList)) {
      segments = root.at;
    } else if (root.is(Kind::kDict)) {
      const auto* top = sink_.loose_dict(root.at);
      for (const auto& [key, value] : top == nullptr ? SnapshotSink::Pairs() : *top) {
        const std::string_view name = sink_.text(key);
        const std::uint32_t container = SnapshotSink::container_of(value);
        if (name == "segments" && value.is(Kind::kList)) segments = container;
        if (name == "device_traces" && value.is(Kind::kList)) traces = container;
        if (name == "external_annotations") annotations = container;
        if (name == "allocator_settings") take_settings(container);
        if (std::ranges::find(kKnownTop, name) == std::end(kKnownTop)) out_.unknown_keys.emplace_back(name);
      }
      if (traces == kNoId) segments = kNoId;
    }
    if (segments == kNoId || !holds_segments(segments, traces != kNoId)) {
      return Error{ErrorKind::kBadInput,
                   "is not a PyTorch memory snapshot: it has no lists \"segments\" and \"device_traces\"", ""};
    }
    std::ranges::sort(out_.unknown_keys);
    out_.unknown_keys.erase(std::ranges::unique(out_.unknown_keys).begin(), out_.unknown_keys.end());
    take_segments(segments);
    if (traces != kNoId) take_traces(traces);
    take_annotations(annotations);
    tell();
    return {};
  }

 private:
  void skip(const std::string& reason, std::uint64_t count = 1) {
    if (count > 0) out_.skipped[reason] += count;
  }

  // A bare list must hold a segment, or be empty: any pickle may be a list.
  bool holds_segments(std::uint32_t list, bool has_traces) {
    if (has_traces) return true;
    bool found = false;
    sink_.for_each_run(
        list, [&](ThingKind kind, std::uint32_t, std::uint32_t) { found = found || kind == ThingKind::kSegment; });
    return found;
  }

  void take_settings(std::uint32_t container) {
    const auto* settings = sink_.loose_dict(container);
    if (settings == nullptr) return;
    for (const auto& [key, value] : *settings) {
      const std::string_view name = sink_.text(key);
      if (name == "max_split_size") {
        out_.max_split_bytes = sink_.unsigned_of(value);  // -1: none
      } else if (name == "roundup_power2_divisions") {
        const auto* divisions = sink_.loose_dict(SnapshotSink::container_of(value));
        for (const auto& [size, count] : divisions == nullptr ? SnapshotSink::Pairs() : *divisions) {
          for (std::size_t i = 0; i < out_.roundup_divisions.size(); ++i) {
            if (sink_.text(size) == std::to_string(1u << i))
              out_.roundup_divisions[i] = sink_.unsigned_of(count).value_or(0);
          }
        }
      }
    }
  }

  // --- segments

  void take_segments(std::uint32_t list) {
    std::vector<std::uint32_t> rows;
    sink_.for_each_run(list, [&](ThingKind kind, std::uint32_t begin, std::uint32_t end) {
      if (kind != ThingKind::kSegment) return skip("what stands among the segments and is none", end - begin);
      for (std::uint32_t row = begin; row < end; ++row) rows.push_back(row);
    });
    const auto segment_of = [&](std::uint32_t row) -> const Segment& { return sink_.raw_segments[row].segment; };
    std::ranges::stable_sort(
        rows, {}, [&](std::uint32_t row) { return std::pair(segment_of(row).device, segment_of(row).address); });
    std::set<std::int64_t> devices;
    const Segment* last = nullptr;
    std::uint64_t bytes = 0;
    for (const std::uint32_t row : rows) {
      const RawSegment& raw = sink_.raw_segments[row];
      const Segment& segment = raw.segment;
      const bool is_whole = (raw.keys & kNeeded) == kNeeded && segment.device >= 0 &&
                            segment.size_bytes <= kMostBytes - bytes && segment.address <= ~segment.size_bytes;
      if (!is_whole) {
        skip("segments without a device, an address or a size that can be");
        continue;
      }
      if (devices.size() == kMostDevices && !devices.contains(segment.device)) {
        skip("segments of devices beyond 1,024");
        continue;
      }
      if (last != nullptr && last->device == segment.device && segment.address - last->address < last->size_bytes) {
        skip("segments that lie over another");
        continue;
      }
      bytes += segment.size_bytes;
      devices.insert(segment.device);
      out_.segments.push_back(segment);
      last = &segment;
      take_blocks(raw, out_.segments.back());
    }
  }

  void take_blocks(const RawSegment& raw, Segment& segment) {
    segment.first_block = static_cast<std::uint32_t>(out_.blocks.size());
    std::uint64_t next = segment.address;  // where a block without an address lies
    sink_.for_each_run(raw.blocks, [&](ThingKind kind, std::uint32_t begin, std::uint32_t end) {
      if (kind != ThingKind::kBlock) return skip("what stands among the blocks of a segment and is none", end - begin);
      for (std::uint32_t row = begin; row < end; ++row) take_block(sink_.raw_blocks[row], segment, next);
    });
    segment.end_block = static_cast<std::uint32_t>(out_.blocks.size());
  }

  void take_block(RawBlock raw, const Segment& segment, std::uint64_t& next) {
    constexpr std::uint64_t kLeast = bit(Key::kSize) | bit(Key::kState);
    const auto has = [&](Key key) { return (raw.keys & bit(key)) != 0; };
    if (!has(Key::kAddress) && !has(Key::kOther)) raw.address = next;
    take_history(raw);
    if (!has(Key::kRequestedSize)) raw.requested_bytes = raw.size_bytes;
    const std::uint64_t room = segment.address + segment.size_bytes - next;
    const bool lies_in = (raw.keys & kLeast) == kLeast && !has(Key::kOther) && raw.address >= next &&
                         raw.address - next <= room && raw.size_bytes <= room - (raw.address - next);
    if (!lies_in || raw.requested_bytes > kMostBytes) return skip("blocks that do not lie in their segment");
    next = raw.address + raw.size_bytes;
    requested_ += raw.requested_bytes;
    if (requested_ > kMostBytes) {
      requested_ -= raw.requested_bytes;
      return skip("blocks with requests beyond what 64 bits count");
    }
    out_.blocks.push_back({raw.address, raw.size_bytes, raw.requested_bytes, raw.stack, raw.words, raw.state});
  }

  // How torch 2.0 tells who asked for a block, and for how much.
  void take_history(RawBlock& raw) {
    bool is_first = true;
    sink_.for_each_run(raw.history, [&](ThingKind, std::uint32_t begin, std::uint32_t) {
      const auto* history = sink_.loose_dict(begin);
      if (!std::exchange(is_first, false) || history == nullptr) return;
      for (const auto& [key, value] : *history) {
        const std::string_view name = sink_.text(key);
        if (name == "frames") raw.stack = sink_.stack_of(value);
        const auto number = name == "real_size" ? sink_.unsigned_of(value) : std::nullopt;
        if (!number) continue;
        raw.requested_bytes = *number;
        raw.keys |= bit(Key::kRequestedSize);
      }
    });
  }

  // --- traces

  void take_traces(std::uint32_t list) {
    std::uint64_t devices = 0;
    sink_.for_each_run(list, [&](ThingKind kind, std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t container = begin; container < end; ++container) {
        if (++devices > kMostDevices) {
          skip("traces of devices beyond 1,024");
        } else {
          take_trace(kind == ThingKind::kList ? container : kNoId);
        }
      }
    });
    Entries& entries = out_.entries;
    const auto cut = [&](auto& column) { column.resize(next_row_); };
    cut(entries.action), cut(entries.flags), cut(entries.address), cut(entries.size_bytes), cut(entries.time_ns);
    cut(entries.stream), cut(entries.pool), cut(entries.stack), cut(entries.words);
  }

  // Moves its rows down to where the last trace's end; in a pickle that torch wrote all are there already.
  void take_trace(std::uint32_t container) {
    Trace trace{next_row_, next_row_};
    std::uint64_t bytes = 0;
    sink_.for_each_run(container, [&](ThingKind kind, std::uint32_t begin, std::uint32_t end) {
      if (kind != ThingKind::kEntry) return skip("what stands among the entries of a trace and is none", end - begin);
      for (std::uint32_t row = begin; row < end; ++row) {
        if (row < from_) {
          skip("entries that stand in more than one place, or not in the order in which they were written");
          continue;
        }
        from_ = row + 1;
        if (!makes_sense(row, bytes)) continue;
        bytes += out_.entries.size_bytes[row];
        move(row, next_row_++);
      }
    });
    trace.end = next_row_;
    out_.traces.push_back(trace);
  }

  bool makes_sense(std::uint32_t row, std::uint64_t bytes) {
    const Entries& entries = out_.entries;
    const bool needs_address = entries.action[row] <= Action::kSegmentUnmap;
    if (sink_.is_wrong[row] != 0 || (needs_address && !entries.has(row, Entries::kHasAddress))) {
      skip("entries that lack an action, an address or a size that can be");
      return false;
    }
    if (entries.size_bytes[row] > kMostBytes - bytes) {
      skip("entries with sizes beyond what 64 bits count");
      return false;
    }
    return true;
  }

  void move(std::uint32_t from, std::uint32_t to) {
    if (from == to) return;
    Entries& entries = out_.entries;
    const auto move_in = [&](auto& column) { column[to] = column[from]; };
    move_in(entries.action), move_in(entries.flags), move_in(entries.address), move_in(entries.size_bytes);
    move_in(entries.time_ns), move_in(entries.stream), move_in(entries.pool), move_in(entries.stack);
    move_in(entries.words);
  }

  void take_annotations(std::uint32_t list) {
    std::vector<Annotation> kept;
    sink_.for_each_run(list, [&](ThingKind kind, std::uint32_t begin, std::uint32_t end) {
      if (kind != ThingKind::kAnnotation) return skip("what stands among the annotations and is none", end - begin);
      for (std::uint32_t row = begin; row < end; ++row) {
        out_.annotations[row].time_ns == kNoTime ? skip("annotations without a time")
                                                 : kept.push_back(out_.annotations[row]);
      }
    });
    out_.annotations = std::move(kept);
  }

  // --- what people need to know

  void tell() {
    std::uint64_t unordered = 0, unknown = 0;
    for (const Trace& trace : out_.traces) {
      std::int64_t last_ns = kNoTime;
      for (std::uint32_t row = trace.first; row < trace.end; ++row) {
        const std::int64_t time_ns = out_.entries.time_ns[row];
        if (time_ns != kNoTime && time_ns < last_ns) ++unordered;
        if (time_ns != kNoTime) last_ns = time_ns;
        if (out_.entries.action[row] >= Action::kOther) ++unknown;
      }
    }
    if (unordered > 0) {
      out_.warnings.push_back(
          fmt::format("{} entries have an earlier time than the one before them: times are not in order", unordered));
    }
    if (unknown > 0) {
      std::string names;
      for (std::size_t i = static_cast<std::size_t>(Action::kOther); i < out_.actions.size(); ++i)
        names += (names.empty() ? "" : ", ") + std::string(out_.strings.get(out_.actions[i]));
      out_.notes.push_back(fmt::format("{} entries are of a kind that vizd does not know: {}", unknown, names));
    }
    std::string names;
    for (const auto& [name, count] : sink_.other_keys)
      names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", name, count);
    if (!names.empty()) out_.notes.push_back("keys that vizd does not know: " + names);
  }

  static constexpr std::uint64_t kNeeded = bit(Key::kAddress) | bit(Key::kTotalSize);

  SnapshotSink& sink_;
  Snapshot& out_;
  std::uint32_t next_row_ = 0;  // where the next entry that is kept goes
  std::uint32_t from_ = 0;      // the first row that no trace has taken
  std::uint64_t requested_ = 0;
};

}  // namespace

Result<void> assemble(SnapshotSink& sink, Node root, Snapshot& out) { return Assembly(sink, out).run(root); }

}  // namespace vizd::torch_memory
