#include "formats/tinygrad/reading/profile_allocations.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>

namespace vizd::tinygrad {
namespace {

using pickle::Kind;
using pickle::Node;

// tinygrad's viewer shows no more elements of a buffer.
constexpr std::int64_t kMostElements = 1'000'000'000'000;

class AllocationReader {
 public:
  AllocationReader(const pickle::Tree& tree, const ProfileRules& rules, ValueReader& values,
                   pickle::VisitBudget& visits, Capture& capture, Track& track)
      : tree_(tree), rules_(rules), values_(values), visits_(visits), capture_(capture), track_(track) {}

  // Allocations and frees in the order of their microseconds, as the reference counts bytes.
  void read(const std::vector<DeviceItem>& items) {
    std::unordered_map<std::uint64_t, std::size_t> live;
    std::uint32_t order = 0;
    for (const DeviceItem& item : items) {
      if (item.kind == ItemKind::kExec && rules_.numbers_launches) add_launch(item);
      if (item.kind != ItemKind::kAlloc && item.kind != ItemKind::kFree) continue;
      const auto key = tree_.integer(item.key);
      if (!key || *key < 0) {
        skip("allocation or free of a buffer without a number");
        continue;
      }
      const auto number = static_cast<std::uint64_t>(*key);
      if (item.kind == ItemKind::kAlloc) {
        auto allocation = read_allocation(item, number);
        if (!allocation) {
          skip("allocation without a type or a size");
          continue;
        }
        allocation->birth_order = order++;
        live[number] = track_.allocations.size();
        track_.allocations.push_back(*allocation);
      } else if (const auto found = live.find(number); found != live.end()) {
        Allocation& allocation = track_.allocations[found->second];
        allocation.freed = true;
        allocation.death_ns = item.start.ns;
        allocation.death_order = order++;
        take_uses(number, found->second);
        live.erase(found);
      } else {
        skip("free of a buffer that was never allocated");
      }
    }
    for (std::size_t i = 0; i < track_.allocations.size(); ++i) {
      const Allocation& allocation = track_.allocations[i];
      const auto found = live.find(allocation.key);
      if (found != live.end() && found->second == i) take_uses(allocation.key, i);
    }
  }

 private:
  void skip(const char* reason) { ++capture_.skipped[reason]; }

  // The numbers of a list or tuple of a launch's argument; none where the file repeats it beyond its own size.
  std::optional<std::vector<std::int64_t>> numbers_of(const DeviceItem& item, std::string_view field) {
    const Node list = tree_.value(item.arg, field).value_or(Node());
    std::vector<std::int64_t> numbers;
    const auto add = [&](Node node) { numbers.push_back(tree_.integer(node).value_or(-1)); };
    if (list.is(Kind::kTuple)) {
      if (!visits_.take(list.count())) return std::nullopt;
      std::ranges::for_each(tree_.tuple(list), add);
    } else if (list.is(Kind::kList) || list.is(Kind::kSet)) {
      if (!visits_.take(tree_.container(list).size)) return std::nullopt;
      tree_.for_each(tree_.container(list), add);
    }
    return numbers;
  }

  // Which of so many arguments the numbers name.
  static std::vector<bool> named_by(const std::vector<std::int64_t>& numbers, std::size_t arguments) {
    std::vector<bool> is_named(arguments, false);
    for (const std::int64_t number : numbers) {
      if (number >= 0 && static_cast<std::size_t>(number) < arguments)
        is_named[static_cast<std::size_t>(number)] = true;
    }
    return is_named;
  }

  void add_launch(const DeviceItem& item) {
    const auto number = tree_.integer(item.key);
    if (!number || *number < 0) return skip("launch without a number");
    const auto buffers = numbers_of(item, "bufs"), inputs = numbers_of(item, "inputs"),
               outputs = numbers_of(item, "outputs");
    if (!buffers || !inputs || !outputs) return skip("launch whose buffers the file repeats beyond its own size");
    track_.launches.push_back({.number = static_cast<std::uint64_t>(*number),
                               .name = values_.read_text(tree_.value(item.arg, "name").value_or(Node())),
                               .at_ns = item.start.ns});
    const auto launch = static_cast<std::uint32_t>(track_.launches.size() - 1);
    const std::vector<bool> is_input = named_by(*inputs, buffers->size()),
                            is_output = named_by(*outputs, buffers->size());
    std::unordered_map<std::int64_t, std::uint32_t> arguments;  // by buffer: the first that is it
    for (std::size_t i = 0; i < buffers->size(); ++i) {
      const std::int64_t buffer = (*buffers)[i];
      const std::uint32_t argument = arguments.try_emplace(buffer, static_cast<std::uint32_t>(i)).first->second;
      const bool writes = is_output[argument];
      uses_[static_cast<std::uint64_t>(buffer)].push_back(
          {.launch = launch, .argument = argument, .reads = is_input[argument] || !writes, .writes = writes});
    }
  }

  void take_uses(std::uint64_t key, std::size_t allocation) {
    const auto found = uses_.find(key);
    if (found == uses_.end()) return;
    for (LaunchUse& use : found->second) {
      use.allocation = static_cast<std::uint32_t>(allocation);
      track_.launch_uses.push_back(use);
    }
    uses_.erase(found);
  }

  std::optional<Allocation> read_allocation(const DeviceItem& item, std::uint64_t key) {
    const Node dtype = tree_.value(item.arg, "dtype").value_or(Node());
    const auto count = tree_.integer(tree_.value(item.arg, "sz").value_or(Node()));
    if (dtype.is(Kind::kString)) return read_named_allocation(item, key);
    if (!dtype.is(Kind::kObject) || !count || *count < 0) return std::nullopt;
    const auto fields = tree_.tuple(tree_.object(dtype).args);  // priority, itemsize or bitsize, name, …
    auto item_size = fields.size() < 3 ? std::nullopt : tree_.integer(fields[1]);
    if (item_size && rules_.numbers_launches) item_size = (*item_size + 7) / 8;
    if (!item_size || *item_size < 0 || *item_size > 0xFFFFFFFF || !fields[2].is(Kind::kString)) return std::nullopt;
    if (*item_size != 0 && *count > std::numeric_limits<std::int64_t>::max() / *item_size) return std::nullopt;
    return Allocation{
        .key = key,
        .count = static_cast<std::uint64_t>(rules_.numbers_launches ? std::min(*count, kMostElements) : *count),
        .item_size_bytes = static_cast<std::uint32_t>(*item_size),
        .dtype = values_.read_text(fields[2]),
        .birth_ns = item.start.ns};
  }

  // Reads an allocation of 0.11.0, which has the type's name and the bytes of the whole.
  std::optional<Allocation> read_named_allocation(const DeviceItem& item, std::uint64_t key) {
    const auto count = tree_.integer(tree_.value(item.arg, "sz").value_or(Node()));
    const auto bytes = tree_.integer(tree_.value(item.arg, "nbytes").value_or(Node()));
    if (!count || *count <= 0 || !bytes || *bytes < 0 || *bytes / *count > 0xFFFFFFFF) return std::nullopt;
    return Allocation{.key = key,
                      .count = static_cast<std::uint64_t>(*count),
                      .item_size_bytes = static_cast<std::uint32_t>(*bytes / *count),
                      .dtype = values_.read_text(tree_.value(item.arg, "dtype").value_or(Node())),
                      .birth_ns = item.start.ns};
  }

  const pickle::Tree& tree_;
  const ProfileRules& rules_;
  ValueReader& values_;
  pickle::VisitBudget& visits_;
  Capture& capture_;
  Track& track_;
  // By buffer: what launches did with it since it was freed last.
  std::unordered_map<std::uint64_t, std::vector<LaunchUse>> uses_;
};

}  // namespace

void read_allocations(const std::vector<DeviceItem>& items, const pickle::Tree& tree, const ProfileRules& rules,
                      ValueReader& values, pickle::VisitBudget& visits, Capture& capture, Track& track) {
  AllocationReader(tree, rules, values, visits, capture, track).read(items);
}

}  // namespace vizd::tinygrad
