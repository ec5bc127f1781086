#include "analysis/devices/kernel_sequences.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "analysis/devices/kernel_names.h"

namespace vizd {
namespace {

constexpr std::int64_t kBreak_ns = 30'000;
constexpr std::size_t kLongestSequence = 8;
constexpr std::int64_t kFewestOccurrences = 3;

// How often keys occur, up to the fewest that count, by their hash: never less than it is.
class RareFilter {
 public:
  explicit RareFilter(std::size_t keys) : counts_(std::bit_ceil(std::max<std::size_t>(4 * keys, 1024))) {}

  void add(std::uint64_t key) {
    std::uint8_t& count = counts_[place(key)];
    if (count < kFewestOccurrences) ++count;
  }
  bool is_rare(std::uint64_t key) const { return counts_[place(key)] < kFewestOccurrences; }

 private:
  std::size_t place(std::uint64_t key) const {
    constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
    const std::uint64_t mixed = (key ^ (key >> 29)) * kMix;
    return static_cast<std::size_t>(mixed >> 20) & (counts_.size() - 1);
  }

  std::vector<std::uint8_t> counts_;
};

// Sequences of one length are known by numbers: each is a shorter one and a name.
class SequenceFinder {
 public:
  SequenceFinder(const Capture& capture, const DeviceWork& work) : capture_(capture), work_(work) { line_up(); }

  std::vector<KernelSequence> find() {
    std::vector<std::uint32_t> numbers = names_;  // by position: the sequence that begins there
    std::vector<Found> shorter;
    for (std::size_t length = 2; length <= kLongestSequence; ++length) {
      std::vector<Found> longer = extend(numbers, length, shorter);
      take(shorter);
      if (longer.empty()) break;
      shorter = std::move(longer);
      if (length == kLongestSequence) take(shorter);
    }
    return std::move(result_);
  }

 private:
  struct Found {
    std::uint32_t first = 0;  // position of an occurrence
    std::size_t length = 0;
    std::int64_t count = 0, total_ns = 0, between_ns = 0, longest_ns = -1;
    std::uint32_t free = 0;  // the first position that no counted occurrence has
    std::uint32_t longest = 0;
    bool is_part = false;  // always of the same longer one
  };

  // The kernels stream by stream in order of time, with a break where a sequence ends.
  void line_up() {
    std::vector<std::vector<std::uint32_t>> streams(work_.streams.size());
    for (std::uint32_t i = 0; i < work_.items.size(); ++i) streams[work_.items[i].stream].push_back(i);
    std::unordered_map<StringId, std::uint32_t> numbers;
    for (auto& stream : streams) {
      const auto start_of = [this](std::uint32_t i) { return work_.items[i].start_ns; };
      if (!std::ranges::is_sorted(stream, {}, start_of)) std::ranges::stable_sort(stream, {}, start_of);
      std::int64_t end_ns = 0;
      bool follows = false;
      for (const std::uint32_t i : stream) {
        const WorkItem& item = work_.items[i];
        if (follows && (!item.is_compute() || item.start_ns - end_ns >= kBreak_ns)) add_break();
        follows = item.is_compute();
        end_ns = item.end_ns;
        if (!follows) continue;
        const StringId name = capture_.profile.tracks[item.track].events.name(item.event);
        const auto [found, is_new] = numbers.try_emplace(name, static_cast<std::uint32_t>(ids_.size()));
        if (is_new) ids_.push_back(name);
        items_.push_back(i);
        names_.push_back(found->second);
      }
      if (follows) add_break();
    }
  }

  void add_break() {
    items_.push_back(kNoId);
    names_.push_back(kNoId);
  }

  // numbers: of the sequences one shorter, by position; becomes those of this length. shorter: what they are; empty of
  // single names.
  std::vector<Found> extend(std::vector<std::uint32_t>& numbers, std::size_t length, std::vector<Found>& shorter) {
    const auto goes_on = [&](std::uint32_t number) {
      return number != kNoId && (shorter.empty() || shorter[number].count >= kFewestOccurrences);
    };
    // Calls visit(position, what the sequence there is known by).
    const auto for_each = [&](auto&& visit) {
      for (std::uint32_t at = 0; at + length <= numbers.size(); ++at) {
        const std::uint32_t last = names_[at + length - 1];
        if (last != kNoId && goes_on(numbers[at]) && goes_on(numbers[at + 1]))
          visit(at, std::uint64_t{numbers[at]} << 32 | last);
      }
    };
    // Most sequences of work without a pattern occur once: what a small count by hash says to be rare is not looked at.
    RareFilter rare(numbers.size());
    for_each([&](std::uint32_t, std::uint64_t key) { rare.add(key); });
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    std::vector<Found> found;
    std::vector<std::uint32_t> next(numbers.size(), kNoId);
    for_each([&](std::uint32_t at, std::uint64_t key) {
      if (rare.is_rare(key)) return;
      const auto [place, is_new] = known.try_emplace(key, static_cast<std::uint32_t>(found.size()));
      if (is_new) found.push_back({.first = at, .length = length});
      next[at] = place->second;
      count(found[place->second], at);
    });
    for (const Found& longer : found) {
      if (shorter.empty()) break;
      for (const std::uint32_t at : {longer.first, longer.first + 1}) {
        Found& part = shorter[numbers[at]];
        part.is_part |= part.count <= longer.count;
      }
    }
    numbers = std::move(next);
    return found;
  }

  void count(Found& found, std::uint32_t at) const {
    if (found.count > 0 && at < found.free) return;
    found.free = at + static_cast<std::uint32_t>(found.length);
    ++found.count;
    std::int64_t end_ns = work_.items[items_[at]].start_ns;
    for (std::size_t k = 0; k < found.length; ++k) {
      const WorkItem& item = work_.items[items_[at + k]];
      found.total_ns += item.end_ns - item.start_ns;
      found.between_ns += std::max<std::int64_t>(item.start_ns - end_ns, 0);
      end_ns = std::max(end_ns, item.end_ns);
    }
    const std::int64_t dur_ns = end_ns - work_.items[items_[at]].start_ns;
    if (dur_ns <= found.longest_ns) return;
    found.longest_ns = dur_ns;
    found.longest = items_[at];
  }

  void take(const std::vector<Found>& found) {
    for (const Found& of : found) {
      if (of.count < kFewestOccurrences || of.is_part) continue;
      KernelSequence sequence{.names = {},
                              .count = of.count,
                              .total_ns = of.total_ns,
                              .between_ns = of.between_ns,
                              .is_candidate = true,
                              .longest = of.longest,
                              .longest_ns = of.longest_ns};
      for (std::size_t k = 0; k < of.length; ++k) {
        sequence.names.push_back(ids_[names_[of.first + k]]);
        const std::string_view category = kernel_category(capture_.strings.get(sequence.names.back()));
        sequence.is_candidate &= category != "GEMM" && category != "convolution" && category != "attention";
      }
      result_.push_back(std::move(sequence));
    }
  }

  const Capture& capture_;
  const DeviceWork& work_;
  std::vector<std::uint32_t> items_, names_;  // by position; kNoId: a break
  std::vector<StringId> ids_;                 // by name
  std::vector<KernelSequence> result_;
};

}  // namespace

std::vector<KernelSequence> find_kernel_sequences(const Capture& capture, const DeviceWork& work, std::size_t most,
                                                  const std::optional<std::string>& kernel) {
  std::vector<KernelSequence> sequences = SequenceFinder(capture, work).find();
  if (kernel) {
    const StringId name = capture.strings.find(*kernel);
    std::erase_if(sequences,
                  [&](const KernelSequence& of) { return std::ranges::find(of.names, name) == of.names.end(); });
  }
  std::ranges::stable_sort(sequences, std::greater(),
                           [](const KernelSequence& s) { return s.total_ns + s.between_ns; });
  if (sequences.size() > most) sequences.resize(most);
  return sequences;
}

}  // namespace vizd
