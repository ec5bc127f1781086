#include "session/kept_capture.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <new>

#include "base/content_hash.h"
#include "base/file_signature.h"
#include "base/log.h"
#include "base/private_files.h"
#include "formats/registry.h"
#include "model/allocator_log.h"
#include "system/process.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

// File systems tell two writings within this time from each other; those that count whole seconds within two of them.
constexpr std::int64_t kTick_ns = 100'000'000, kCoarseTick_ns = 2'000'000'000;

bool may_change_unseen(const FileSignature& file) {
  constexpr std::int64_t kSecond_ns = 1'000'000'000;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::int64_t written_ns = std::max(file.modified_ns, file.changed_ns);
  const bool is_coarse = file.modified_ns % kSecond_ns == 0 && file.changed_ns % kSecond_ns == 0;
  return std::chrono::nanoseconds(now).count() - written_ns < (is_coarse ? kCoarseTick_ns : kTick_ns);
}

void add_signature(ContentHash& hash, const std::optional<FileSignature>& file) {
  hash.add(std::uint64_t{file.has_value()});
  if (!file) return;
  for (const std::uint64_t word :
       {file->device, file->inode, file->size_bytes, static_cast<std::uint64_t>(file->modified_ns),
        static_cast<std::uint64_t>(file->changed_ns)})
    hash.add(word);
}

// Either way through the same members, so that what is written and what is read cannot differ. `Way` is Saving or
// Loading; what it goes through is constant for the first.
class Saving {
 public:
  explicit Saving(KeptWriter& file) : file_(file) {}

  template <typename... T>
  void numbers(const T&... values) {
    (file_.number(values), ...);
  }
  void text(const std::string& value) { file_.text(value); }
  template <typename T>
  void column(const T& column) {
    file_.values(column_values(column).span());
  }
  template <typename T, typename Allocator>
  void plain(const std::vector<T, Allocator>& values) {
    file_.values(std::span<const T>(values));
  }
  void packed(const PackedIntegers& values) {
    PackedIntegers whole = values;
    whole.shrink();
    file_.number(whole.size());
    file_.values(whole.blocks());
    file_.values(whole.words());
  }
  void reals(const PackedReals& values) {
    std::vector<double> plain(values.size());
    for (std::size_t i = 0; i < plain.size(); ++i) plain[i] = values[i];
    file_.values(std::span<const double>(plain));
  }
  void strings(const StringTable& strings) {
    file_.number(strings.size());
    for (std::uint32_t id = 0; id < strings.size(); ++id) file_.text(strings.get(StringId{id}));
  }
  template <typename T, typename Visit>
  void each(const std::vector<T>& items, Visit&& visit) {
    file_.number(items.size());
    for (const T& item : items) visit(item);
  }
  template <typename T, typename Visit>
  void optional(const std::shared_ptr<const T>& thing, Visit&& visit) {
    file_.number(thing != nullptr);
    if (thing != nullptr) visit(*thing);
  }
  void flow_ends(const FlowEnds& ends) {
    std::vector<FlowEnd> plain;
    for (std::size_t i = 0; i < ends.size(); ++i) plain.push_back(ends[i]);
    file_.values(std::span<const FlowEnd>(plain));
  }
  void counts(const std::map<std::string, std::uint64_t>& counts) {
    file_.number(counts.size());
    for (const auto& [reason, count] : counts) file_.text(reason), file_.number(count);
  }

 private:
  KeptWriter& file_;
};

class Loading {
 public:
  explicit Loading(KeptReader& file) : file_(file) {}

  template <typename... T>
  void numbers(T&... values) {
    (file_.number(values), ...);
  }
  void text(std::string& value) { value = file_.text(); }
  template <typename T>
  void column(Column<T>& column) {
    column = view<T>();
  }
  template <typename T, T kUsual>
  void column(SparseColumn<T, kUsual>& column) {
    column = SparseColumn<T, kUsual>(view<T>());
  }
  template <typename T, typename Allocator>
  void plain(std::vector<T, Allocator>& values) {
    const std::span<const T> kept = file_.values<T>();
    values.assign(kept.begin(), kept.end());
  }
  void packed(PackedIntegers& values) {
    constexpr std::size_t kBlock = PackedIntegers::kBlock;
    const std::size_t size = file_.count();
    const auto blocks = file_.values<PackedIntegers::Block>();
    const auto words = file_.values<std::uint64_t>();
    if (blocks.size() != size / kBlock + (size % kBlock != 0 ? 1 : 0)) return file_.refuse();
    std::array<std::int64_t, kBlock> room;
    for (std::size_t i = 0; i < blocks.size() && i * kBlock < size; ++i) {
      const std::size_t count = std::min(kBlock, size - i * kBlock);
      if (!lies_within(blocks[i], count, words.size())) return file_.refuse();
      for (std::size_t k = 0; k < count; ++k) room[k] = blocks[i].value(words.data(), k);
      values.append(std::span(room).first(count));
    }
    values.shrink();
  }
  void reals(PackedReals& values) {
    values.append(file_.values<double>());
    values.shrink();
  }
  void strings(StringTable& strings) {
    for (std::size_t id = 0, size = file_.count_in_head(); id < size; ++id) strings.add(file_.text());
  }
  template <typename T, typename Visit>
  void each(std::vector<T>& items, Visit&& visit) {
    for (std::size_t i = 0, size = file_.count_in_head(); i < size; ++i) visit(items.emplace_back());
  }
  template <typename T, typename Visit>
  void optional(std::shared_ptr<const T>& thing, Visit&& visit) {
    std::uint8_t is_there = 0;
    file_.number(is_there);
    if (is_there == 0) return;
    auto made = std::make_shared<T>();
    visit(*made);
    thing = std::move(made);
  }
  void flow_ends(FlowEnds& ends) {
    for (const FlowEnd& end : file_.values<FlowEnd>()) ends.push_back(end);
  }
  void counts(std::map<std::string, std::uint64_t>& counts) {
    for (std::size_t i = 0, size = file_.count_in_head(); i < size; ++i) {
      const std::string reason(file_.text());
      file_.number(counts[reason]);
    }
  }

 private:
  template <typename T>
  Column<T> view() {
    return Column<T>(file_.values<T>(), file_.memory());
  }

  // Whether the bits of so many values of a block lie in so many words.
  static bool lies_within(const PackedIntegers::Block& block, std::size_t count, std::size_t words) {
    const std::size_t bits = block.begin_and_bits & 0xFF;
    return bits <= 64 && (bits == 0 || (block.begin() <= words && (bits * count + 63) / 64 <= words - block.begin()));
  }

  KeptReader& file_;
};

template <typename Way, typename Of>
void go_through_arguments(Way& way, Of& argument) {
  way.numbers(argument.name, argument.unit, argument.type, argument.is_hidden);
  way.packed(argument.events), way.packed(argument.numbers), way.reals(argument.reals);
}

template <typename Way, typename Of>
void go_through_allocator(Way& way, Of& log) {
  way.numbers(log.device, log.has_times, log.is_exact, log.mismatched);
  way.column(log.entries.action), way.column(log.entries.at_ns);
  way.column(log.entries.address), way.column(log.entries.size_bytes);
  way.plain(log.actions), way.plain(log.pools), way.plain(log.sites), way.column(log.segments);
  way.column(log.lives.requested_bytes), way.column(log.lives.flags);
  way.column(log.lives.born), way.column(log.lives.freed), way.column(log.lives.completed);
  way.column(log.lives.pool), way.column(log.lives.site);
}

template <typename Way, typename Of>
void go_through_track(Way& way, Of& track) {
  way.numbers(track.name, track.kind, track.parent, track.sort, track.cycles_per_second, track.number);
  track.events.for_each_column([&](auto& column) { way.column(column); });
  way.each(track.arguments, [&](auto& argument) { go_through_arguments(way, argument); });
  way.each(track.counters, [&](auto& counter) {
    way.numbers(counter.name, counter.unit, counter.series, counter.category);
    way.column(counter.at_ns), way.column(counter.value);
  });
  way.column(track.samples.at_ns), way.column(track.samples.stack), way.column(track.samples.weight);
  way.plain(track.allocations), way.column(track.uses), way.plain(track.launches), way.plain(track.launch_uses);
  way.optional(track.allocator, [&](auto& log) { go_through_allocator(way, log); });
}

template <typename Way, typename Of>
void go_through_capture(Way& way, Of& capture) {
  auto& profile = capture.profile;
  way.strings(capture.strings);
  way.text(capture.format);
  way.each(profile.tracks, [&](auto& track) { go_through_track(way, track); });
  way.plain(profile.markers), way.plain(profile.runs), way.column(profile.flows);
  way.flow_ends(profile.flow_ends);
  way.numbers(profile.clock.name, profile.clock.unix_offset_ns, profile.is_trace, profile.numbers_launches,
              profile.start_ns, profile.end_ns);
  way.plain(capture.stacks), way.plain(capture.facts);
  way.numbers(capture.has_profile);
  way.counts(capture.skipped);
  way.each(capture.warnings, [&](auto& warning) { way.text(warning); });
  way.each(capture.notes, [&](auto& note) { way.text(note); });
}

template <typename Way, typename Of>
void go_through_memory(Way& way, Of& memory) {
  auto& layout = memory.layout;
  way.numbers(layout.addressed, layout.height_bytes, layout.peak_bytes, layout.peak_ns, layout.end_bytes);
  layout.for_each_column([&](auto& column) { way.packed(column); });
  way.plain(layout.at_peak);
  way.packed(memory.by_birth), way.packed(memory.index_of);
  way.plain(memory.categories), way.plain(memory.category);
}

template <typename Way, typename Of>
void go_through_timeline(Way& way, Of& timeline) {
  way.each(timeline.lanes, [&](auto& lane) {
    way.column(lane.row_begin), way.column(lane.node_begin), way.column(lane.nodes);
    way.column(lane.link_context), way.column(lane.link_pass), way.column(lane.uses_by_event);
    way.numbers(lane.relaned, lane.busy_ns, lane.first_ns, lane.last_ns);
    go_through_memory(way, lane.memory);
  });
  way.plain(timeline.names), way.plain(timeline.name_number);
  way.numbers(timeline.key);
  way.column(timeline.flows_by_target);
}

}  // namespace

std::string default_cache_folder() {
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/vizd";
  const char* const home = std::getenv("HOME");
  return home != nullptr && *home == '/' ? std::string(home) + "/.cache/vizd" : "";
}

std::optional<KeptPlace> kept_place(const InputSet& set, const CacheOptions& options, std::string_view suffix) {
  if (options.folder.empty() || set.format == nullptr) return std::nullopt;
  // Another vizd may keep them otherwise.
  const auto program = file_signature(way_to_own_program());
  if (!program) return std::nullopt;
  ContentHash hash;
  add_signature(hash, program);
  hash.add(set.format->name);
  hash.add(suffix);
  for (const InputFile& file : set.files) {
    const auto signature = file_signature(file.path);
    if (signature && may_change_unseen(*signature)) return std::nullopt;
    hash.add(file.role);
    hash.add(file.path);
    add_signature(hash, signature);
  }
  for (const Setting& setting : set.settings) {
    hash.add(setting.format->name);
    hash.add(setting.name);
    hash.add(setting.value);
  }
  return KeptPlace{fmt::format("{}/{:016x}{}", options.folder, hash.value(), suffix), hash.value()};
}

bool is_kept(const InputSet& set, const CacheOptions& options) {
  const auto place = kept_place(set, options);
  std::error_code failed;
  return place && fs::exists(place->path, failed);
}

void keep_to_size(const CacheOptions& options) {
  struct Kept {
    fs::path path;
    fs::file_time_type used;
    std::uint64_t size_bytes;
  };
  std::vector<Kept> files;
  std::uint64_t total = 0;
  std::error_code failed;
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const auto& entry : fs::directory_iterator(options.folder, failed)) {
    const std::string suffix = entry.path().extension();
    const bool is_unfinished = suffix == ".part";
    if (!is_unfinished && suffix != kTimelineSuffix && suffix != kRulesSuffix) continue;
    if (!is_kept_file(entry.path())) continue;
    if (is_unfinished && entry.last_write_time(failed) < long_ago) fs::remove(entry.path(), failed);
    if (is_unfinished) continue;
    files.push_back({entry.path(), entry.last_write_time(failed), entry.file_size(failed)});
    total += files.back().size_bytes;
  }
  std::ranges::sort(files, {}, &Kept::used);
  for (const Kept& file : files) {
    if (total <= options.most_bytes) break;
    if (fs::remove(file.path, failed)) total -= file.size_bytes;
  }
}

bool is_worth_keeping(const Capture& capture, const CacheOptions& options) {
  std::uint64_t events = 0;
  for (const Track& track : capture.profile.tracks) events += track.events.size() + track.allocations.size();
  const bool is_profile_alone = !capture.has_rewrites && capture.dialect == nullptr && capture.ops.size() == 0 &&
                                capture.values.size() == 1 && capture.rewrites.contexts.empty();
  // What XLA's profiler told has no place in a kept file.
  return is_profile_alone && capture.profile.xla == nullptr && events >= options.least_events;
}

std::shared_ptr<const KeptBytes> load_kept(const KeptPlace& place, unsigned threads, Capture& capture,
                                           Timeline& timeline) {
  auto file = KeptReader::open(place.path, place.key, threads);
  if (!file) return nullptr;
  Loading loading(*file);
  go_through_capture(loading, capture);
  go_through_timeline(loading, timeline);
  return file->is_at_end() && is_sound(capture, timeline) ? file->memory() : nullptr;
}

Result<void> save_kept(const KeptPlace& place, const Capture& capture, const Timeline& timeline,
                       const std::stop_token& stop) {
  KeptWriter file(place.path, place.key, stop);
  Saving saving(file);
  go_through_capture(saving, capture);
  go_through_timeline(saving, timeline);
  return file.finish();
}

void keep(const KeptPlace& place, const CacheOptions& options, const Capture& capture, const Timeline& timeline,
          const std::stop_token& stop) {
  constexpr std::string_view kFailed = "the cache of the capture cannot be written";
  try {
    const auto folder = take_private_folder(options.folder);
    if (!folder) return log(LogLevel::kWarning, "{}: {}", kFailed, folder.error().text());
    const auto saved = save_kept(place, capture, timeline, stop);
    if (!saved && !stop.stop_requested()) log(LogLevel::kWarning, "{}: {}", kFailed, saved.error().text());
    keep_to_size(options);
  } catch (const std::bad_alloc&) {
    log(LogLevel::kWarning, "{}: out of memory", kFailed);
  }
}

}  // namespace vizd
