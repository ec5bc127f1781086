#include "reference/inductor/augment.h"

#include <cmath>
#include <map>
#include <string_view>

#include "analysis/devices/device_analysis.h"
#include "analysis/figures/argument_cursor.h"

namespace vizd {
namespace {

constexpr double kGigabyte_bytes = 1e9;
constexpr double kMostWhole = 9007199254740992.0;

using FiguresOfEvents = std::map<std::uint32_t, double>;  // by event of a track

// The argument of the track's events, with these figures where it has none or 0.
void put_figures(Track& track, std::string_view name, const FiguresOfEvents& figures, StringTable& strings) {
  std::map<std::uint32_t, double> all = figures;
  const StringId id = strings.add(name);
  for (const ArgumentColumn& column : track.arguments) {
    if (column.is_hidden || column.name != id || column.type == ArgumentType::kText) continue;
    for (std::size_t i = 0; i < column.size(); ++i) {
      const double own =
          column.type == ArgumentType::kInteger ? static_cast<double>(column.integer(i)) : column.real(i);
      if (own != 0 || !all.contains(column.event(i))) all[column.event(i)] = own;
    }
  }
  std::erase_if(track.arguments, [&](const ArgumentColumn& column) {
    return column.name == id && !column.is_hidden && column.type != ArgumentType::kText;
  });
  ArgumentColumn integers, reals;
  integers.name = reals.name = id;
  integers.unit = reals.unit = strings.add("");
  reals.type = ArgumentType::kReal;
  for (const auto& [event, figure] : all) {
    if (figure == std::floor(figure) && std::abs(figure) < kMostWhole) {
      integers.push_back(event, static_cast<std::int64_t>(figure));
    } else {
      reals.push_back(event, figure);
    }
  }
  for (ArgumentColumn* const column : {&integers, &reals}) {
    if (column->size() > 0) track.arguments.push_back(std::move(*column));
  }
}

}  // namespace

Augmented augment_trace(Capture& capture) {
  const DeviceAnalysis analysis = analyse_devices(capture);
  const auto& [work, operators, figures] = analysis;
  std::map<std::uint32_t, FiguresOfEvents> flop, gigabytes;  // by track
  Augmented augmented;
  const auto add = [&](const ProfileEvent& event, double of_flop, double of_bytes) {
    if (!std::isnan(of_flop)) flop[event.track][event.event] = of_flop;
    if (!std::isnan(of_bytes)) gigabytes[event.track][event.event] = of_bytes / kGigabyte_bytes;
    return !std::isnan(of_flop) || !std::isnan(of_bytes);
  };
  for (std::size_t i = 0; i < work.items.size(); ++i) {
    if (work.items[i].is_compute()) augmented.kernels += add(work.items[i], figures.flop[i], figures.bytes[i]);
  }
  for (std::size_t i = 0; i < operators.all.size(); ++i)
    augmented.operators += add(operators.all[i], figures.operator_flop[i], figures.operator_bytes[i]);
  for (const auto& [track, of_track] : flop)
    put_figures(capture.profile.tracks[track], "kernel_flop", of_track, capture.strings);
  for (const auto& [track, of_track] : gigabytes)
    put_figures(capture.profile.tracks[track], "kernel_num_gb", of_track, capture.strings);
  return augmented;
}

}  // namespace vizd
