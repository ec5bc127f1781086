#include "analysis/devices/kernel_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "analysis/devices/kernel_names.h"
#include "base/ascii_case.h"
#include "model/argument_json.h"

namespace vizd {

LabelSources read_label_sources(const Capture& capture, const DeviceWork& work, const Operators& operators,
                                const WorkFigures& figures, KernelGroup group) {
  LabelSources sources;
  if (group == KernelGroup::kShapes) sources.shapes = find_operator_shapes(capture, operators);
  if (group == KernelGroup::kModule) sources.tree = make_call_tree(capture, work, operators, figures);
  return sources;
}

KernelLabels::KernelLabels(const Capture& capture, const DeviceWork& work, const Operators& operators,
                           const LabelSources& sources, const KernelChoice& choice)
    : capture_(capture),
      strings_(capture.strings),
      tracks_(capture.profile.tracks),
      work_(work),
      operators_(operators),
      sources_(sources),
      choice_(choice),
      has_all_(choice.category.empty() && !choice.kernel),
      kernel_(choice.kernel ? capture.strings.find(*choice.kernel) : StringId{}),
      steps_(capture.profile, capture.strings, work) {
  for (const WorkStream& stream : work.streams) row_device_of_stream_.push_back(find_row_device(stream));
}

std::uint32_t KernelLabels::find_row_device(const WorkStream& stream) const {
  if (choice_.group != KernelGroup::kRank) return stream.device;
  const auto first = std::ranges::find(work_.devices, work_.devices[stream.device].root, &WorkDevice::root);
  return static_cast<std::uint32_t>(first - work_.devices.begin());
}

std::uint32_t KernelLabels::find_number(std::size_t item, std::uint64_t source) {
  std::uint32_t& number = slot_of(source);
  if (number == kNoId) number = make_label(item, source);
  return number;
}

bool KernelLabels::counts(const WorkItem& item) {
  if (choice_.kernel && name_of(item) != kernel_) return false;
  return choice_.category.empty() || category_of(item) == choice_.category;
}

std::string_view KernelLabels::category_of(const WorkItem& item) {
  if (item.work != EventRole::kKernel) return "copy";
  if (item.is_communication) return "communication";
  const auto [found, is_new] = categories_.try_emplace(name_of(item));
  if (is_new) found->second = kernel_category(strings_.get(found->first));
  return found->second;
}

// None: not known.
std::optional<std::string> KernelLabels::label_of(std::size_t i, std::uint64_t source) {
  if (source == kNoId) return std::nullopt;
  if (const CapturedOperator* const captured = captured_of(i)) {
    const std::string& label = choice_.group == KernelGroup::kModule   ? captured->module
                               : choice_.group == KernelGroup::kShapes ? captured->shapes
                                                                       : captured->name;
    return label.empty() ? std::nullopt : std::optional(label);
  }
  const WorkItem& item = work_.items[i];
  switch (choice_.group) {
    case KernelGroup::kCategory:
      return std::string(category_of(item));
    case KernelGroup::kFamily:
      return kernel_family(strings_.get(name_of(item)));
    case KernelGroup::kOperator:
      return std::string(strings_.get(name_of(operators_.all[operators_.of_item[i]])));
    case KernelGroup::kShapes:
      return sources_.shapes.texts[source];
    case KernelGroup::kStream: {
      const FileValue& number = work_.streams[item.stream].number;
      return number ? value_text(*number, strings_) : "";
    }
    case KernelGroup::kModule:
      return module_path(sources_.tree, static_cast<std::uint32_t>(source), strings_);
    case KernelGroup::kDevice: {
      const WorkDevice& device = work_.device_of(item);
      const std::string number = device.number ? value_text(*device.number, strings_) : "";
      return device.name.empty() || device.name == number ? number : fmt::format("{} {}", number, device.name);
    }
    case KernelGroup::kRank: {
      const FileValue& rank = work_.device_of(item).rank;
      return rank ? std::optional(value_text(*rank, strings_)) : std::nullopt;
    }
    case KernelGroup::kStep:
      return std::string(strings_.get(capture_.profile.runs[source].name));
    case KernelGroup::kName:
      break;
  }
  return std::string(strings_.get(name_of(item)));
}

// Where the source's number is kept: sources are small numbers as a rule.
std::uint32_t& KernelLabels::slot_of(std::uint64_t source) {
  constexpr std::uint64_t kMostDense = 1 << 22;
  if (source >= kMostDense) return number_of_source_.try_emplace(source, kNoId).first->second;
  if (source >= number_of_small_source_.size()) number_of_small_source_.resize(std::bit_ceil(source + 1), kNoId);
  return number_of_small_source_[source];
}

std::uint32_t KernelLabels::make_label(std::size_t item, std::uint64_t source) {
  const std::optional<std::string> label = label_of(item, source);
  if (!label) return kUnknown;
  if (!contains_in_any_case(*label, choice_.text)) return kLeftOut;
  const auto [named, is_new] = numbers_.try_emplace(*label, static_cast<std::uint32_t>(texts_.size()));
  if (is_new) texts_.push_back(*label);
  return named->second;
}

}  // namespace vizd
