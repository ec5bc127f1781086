// KernelLabels: what a piece of work is called in a table of kernels, by what its rows are of: its name, its operator,
// its stream, … It remembers what it found out, so every thread has one of its own; LabelSources, which take a look at
// everything, are read once for all of them. Refers to what it is given.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/devices/call_tree.h"
#include "analysis/devices/kernel_choice.h"
#include "analysis/devices/operator_shapes.h"
#include "analysis/devices/operators.h"
#include "analysis/devices/work_figures.h"
#include "analysis/devices/work_steps.h"

namespace vizd {

struct LabelSources {
  OperatorShapes shapes;  // of kShapes
  CallTree tree;          // of kModule
};
LabelSources read_label_sources(const Capture& capture, const DeviceWork& work, const Operators& operators,
                                const WorkFigures& figures, KernelGroup group);

class KernelLabels {
 public:
  static constexpr std::uint32_t kUnknown = kNoId - 1, kLeftOut = kNoId - 2;

  KernelLabels(const Capture& capture, const DeviceWork& work, const Operators& operators, const LabelSources& sources,
               const KernelChoice& choice);

  // The number of the label of the work at that place: equal labels have the same number, from 0. kUnknown: it has
  // none; kLeftOut: the choice does not include it.
  std::uint32_t number_of(std::size_t item) {
    if (!has_all_ && !counts(work_.items[item])) return kLeftOut;
    const std::uint64_t source = source_of(item);
    if (source >= number_of_small_source_.size()) return find_number(item, source);
    const std::uint32_t number = number_of_small_source_[source];
    return number != kNoId ? number : find_number(item, source);
  }
  const std::string& text(std::uint32_t number) const { return texts_[number]; }
  // Rows are of one device, but for those of ranks.
  std::uint32_t row_device_of(const WorkItem& item) const { return row_device_of_stream_[item.stream]; }

 private:
  std::uint32_t find_row_device(const WorkStream& stream) const;
  bool counts(const WorkItem& item);
  std::string_view category_of(const WorkItem& item);
  StringId name_of(const ProfileEvent& event) const { return tracks_[event.track].events.name(event.event); }
  // Sources from here on are what captures say.
  static constexpr std::uint64_t kCaptured = std::uint64_t{1} << 40;

  // What a capture says of an item, where rows are of that; else null.
  const CapturedOperator* captured_of(std::size_t item) const {
    const bool is_asked = choice_.group == KernelGroup::kOperator || choice_.group == KernelGroup::kShapes ||
                          choice_.group == KernelGroup::kModule;
    return is_asked ? operators_.captured_of(item) : nullptr;
  }
  std::uint64_t source_of(std::size_t item);
  std::uint32_t find_number(std::size_t item, std::uint64_t source);
  std::optional<std::string> label_of(std::size_t item, std::uint64_t source);
  std::uint32_t& slot_of(std::uint64_t source);
  std::uint32_t make_label(std::size_t item, std::uint64_t source);

  const Capture& capture_;
  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const DeviceWork& work_;
  const Operators& operators_;
  const LabelSources& sources_;
  const KernelChoice& choice_;
  const bool has_all_;  // the choice leaves no work out, whatever its label
  std::vector<std::uint32_t> row_device_of_stream_;
  const StringId kernel_;  // that is chosen
  WorkSteps steps_;
  std::unordered_map<StringId, std::string_view> categories_;
  std::vector<std::uint32_t> number_of_small_source_;
  std::unordered_map<std::uint64_t, std::uint32_t> number_of_source_;
  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> texts_;
};

// The parts of an item's label: equal parts make equal labels.
inline std::uint64_t KernelLabels::source_of(std::size_t i) {
  const WorkItem& item = work_.items[i];
  const std::uint32_t of = operators_.of_item[i];
  if (captured_of(i) != nullptr) return kCaptured | operators_.captured_of_item[i];
  switch (choice_.group) {
    case KernelGroup::kOperator:
      return of == kNoId ? kNoId : index(name_of(operators_.all[of]));
    case KernelGroup::kShapes:
      return of == kNoId ? kNoId : sources_.shapes.of_operator[of];
    case KernelGroup::kModule:
      return module_of(sources_.tree, sources_.tree.of_item[i]);
    case KernelGroup::kStream:
      return item.stream;
    case KernelGroup::kDevice:
    case KernelGroup::kRank:
      return row_device_of(item);
    case KernelGroup::kStep:
      return steps_.of(item);
    case KernelGroup::kCategory:
      return std::uint64_t{item.work != EventRole::kKernel} << 33 | std::uint64_t{item.is_communication} << 32 |
             index(name_of(item));
    case KernelGroup::kName:
    case KernelGroup::kFamily:
      break;
  }
  return index(name_of(item));
}

}  // namespace vizd
