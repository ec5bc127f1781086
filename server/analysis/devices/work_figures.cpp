#include "analysis/devices/work_figures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "analysis/devices/items_by_track.h"
#include "analysis/figures/argument_cursor.h"

namespace vizd {
namespace {

constexpr double kNotKnown = FigureColumn::kNotKnown;

class FigureFinder {
 public:
  FigureFinder(const Capture& capture, const DeviceWork& work, const Operators& operators)
      : strings_(capture.strings), tracks_(capture.profile.tracks), work_(work), operators_(operators) {
    figures_.operator_flop.assign(operators.all.size(), kNotKnown);
    figures_.operator_bytes = figures_.operator_flop;
    figures_.operator_source.assign(operators.all.size(), WorkSource::kNone);
  }

  WorkFigures find() {
    if (!operators_.all.empty()) {
      find_costs();
      share_costs();
    }
    const std::vector<bool> telling = tracks_with(
        tracks_, {argument::kFlop, argument::kMemoryBytes, "kernel_flop", "kernel_num_gb", "bytes"}, strings_);
    for (const auto& [track, items] : items_by_track(work_, 0, work_.items.size(), telling))
      read_own(tracks_[track], items);
    return std::move(figures_);
  }

 private:
  using Inputs = std::tuple<StringId, StringId, StringId, StringId, StringId>;
  struct Found {
    std::optional<OperatorCost> cost;
    std::optional<OperatorBytes> moved;  // where the operator mostly moves memory
  };

  static StringId text_of(const std::optional<ArgumentValue>& value) {
    const auto* const text = value ? std::get_if<StringId>(&*value) : nullptr;
    return text == nullptr ? StringId{} : *text;
  }

  static double number_of(const std::optional<ArgumentValue>& value) {
    if (!value || std::holds_alternative<StringId>(*value)) return kNotKnown;
    const auto* const integer = std::get_if<std::int64_t>(&*value);
    return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(*value);
  }

  // Finds the costs of the operators; calls with the same inputs cost the same.
  void find_costs() {
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> by_track;
    for (std::uint32_t i = 0; i < operators_.all.size(); ++i)
      by_track[operators_.all[i].track].emplace_back(operators_.all[i].event, i);
    const std::vector<StringId> kernels = first_kernels();
    std::map<Inputs, Found> known;
    for (auto& [place, operators] : by_track) {
      std::ranges::sort(operators);
      const Track& track = tracks_[place];
      ArgumentCursor dims(track, "Input Dims", strings_), concrete(track, "Concrete Inputs", strings_);
      ArgumentCursor types(track, "Input type", strings_), older_types(track, "Input types", strings_);
      for (const auto& [event, i] : operators) {
        const auto type = types.at(event);
        const Inputs inputs{track.events.name(event), text_of(dims.at(event)),
                            text_of(type ? type : older_types.at(event)), text_of(concrete.at(event)), kernels[i]};
        const auto [found, is_new] = known.try_emplace(inputs);
        if (is_new) found->second = find_cost(inputs);
        put_cost(i, found->second);
      }
    }
  }

  // For each operator, the name of the first kernel that it launched.
  std::vector<StringId> first_kernels() const {
    std::vector<StringId> kernels(operators_.all.size());
    for (std::size_t i = work_.items.size(); i-- > 0;) {
      const std::uint32_t of = operators_.of_item[i];
      const WorkItem& item = work_.items[i];
      if (of != kNoId && item.is_compute()) kernels[of] = tracks_[item.track].events.name(item.event);
    }
    return kernels;
  }

  Found find_cost(const Inputs& of) const {
    const auto& [name, dims, types, concrete, kernel] = of;
    const OperatorInputs inputs{.name = strings_.get(name),
                                .dims = strings_.get(dims),
                                .types = strings_.get(types),
                                .concrete = strings_.get(concrete),
                                .kernel = strings_.get(kernel)};
    const auto cost = operator_cost(inputs);
    return {cost, cost ? std::nullopt : operator_bytes(inputs)};
  }

  void put_cost(std::uint32_t i, const Found& found) {
    if (found.moved) {
      figures_.operator_bytes[i] = found.moved->bytes;
      figures_.operator_source[i] = found.moved->source;
    }
    if (!found.cost) return;
    figures_.operator_flop[i] = found.cost->flop;
    figures_.operator_bytes[i] = found.cost->bytes.value_or(kNotKnown);
    figures_.operator_source[i] = WorkSource::kFormula;
    if (found.cost->mask == AttentionMask::kNone) return;
    figures_.operator_attention.resize(operators_.all.size());
    const bool is_told = found.cost->mask != AttentionMask::kNotTold;
    figures_.operator_attention[i] = {found.cost->mask, is_told ? 1 : found.cost->causal_share};
  }

  void share_costs() {
    struct Launched {
      std::int64_t total_ns = 0, kernels = 0;
    };
    std::vector<Launched> launched(operators_.all.size());
    const auto operator_of = [&](std::size_t i) { return work_.items[i].is_compute() ? operators_.of_item[i] : kNoId; };
    for (std::size_t i = 0; i < work_.items.size(); ++i) {
      if (const std::uint32_t of = operator_of(i); of != kNoId) {
        launched[of].total_ns += work_.items[i].end_ns - work_.items[i].start_ns;
        ++launched[of].kernels;
      }
    }
    for (std::size_t i = 0; i < work_.items.size(); ++i) {
      const std::uint32_t of = operator_of(i);
      if (of == kNoId) continue;
      const auto [total_ns, kernels] = launched[of];
      const auto dur_ns = static_cast<double>(work_.items[i].end_ns - work_.items[i].start_ns);
      const double share = total_ns > 0 ? dur_ns / static_cast<double>(total_ns) : 1 / static_cast<double>(kernels);
      figures_.flop.set(i, figures_.operator_flop[of] * share);
      figures_.bytes.set(i, figures_.operator_bytes[of] * share);
    }
    // An operator that launched no kernel of this kind did nothing here.
    for (std::size_t of = 0; of < launched.size(); ++of) {
      if (launched[of].kernels == 0) figures_.operator_flop[of] = figures_.operator_bytes[of] = kNotKnown;
    }
  }

  void read_own(const Track& track, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& items) {
    constexpr double kBytesInGigabyte = 1e9;
    ArgumentCursor flop(track, argument::kFlop, strings_), bytes(track, argument::kMemoryBytes, strings_);
    ArgumentCursor augmented(track, "kernel_flop", strings_), gigabytes(track, "kernel_num_gb", strings_);
    ArgumentCursor copied(track, "bytes", strings_);
    for (const auto& [event, i] : items) {
      if (work_.items[i].work != EventRole::kKernel) {
        figures_.bytes_copied.set(i, number_of(copied.at(event)));
        continue;
      }
      const auto take = [i = i](FigureColumn& figures, double own) {
        if (own > 0) figures.set(i, own);
      };
      take(figures_.flop, number_of(augmented.at(event)));
      take(figures_.bytes, number_of(gigabytes.at(event)) * kBytesInGigabyte);
      take(figures_.flop, number_of(flop.at(event)));
      take(figures_.bytes, number_of(bytes.at(event)));
    }
  }

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const DeviceWork& work_;
  const Operators& operators_;
  WorkFigures figures_;
};

}  // namespace

WorkFigures find_work_figures(const Capture& capture, const DeviceWork& work, const Operators& operators) {
  return FigureFinder(capture, work, operators).find();
}

}  // namespace vizd
