// The first half of reading profile.pkl: which device each recorded event belongs to, and when it was by the host's
// clock. The rules are those of flatten_events in tinygrad's viz/serve.py. One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/pickle/tree.h"
#include "formats/pickle/visit_budget.h"
#include "formats/tinygrad/python/decimal_time.h"
#include "formats/tinygrad/version.h"
#include "model/capture.h"

namespace vizd::tinygrad {

enum class ItemKind : std::uint8_t { kRange, kExec, kAlloc, kFree, kMarker, kPoint };

// A range of time on a device; or a point, whose end is its start.
struct DeviceItem {
  ItemKind kind = ItemKind::kRange;
  std::uint32_t order = 0;  // its place among the device's items as recorded
  python::DecimalTime start{}, end{};
  pickle::Node name{};      // of a range: a text or a TracingKey, or none, where text says it
  StringId text{};          // the name of the range that stands for a whole graph
  pickle::Node key{};       // of a point; of a range its profile_key
  StringId point{};         // the name of a point
  pickle::Node arg{};       // of a point
  bool is_batched = false;  // of a range: one of a graph's, launched at once
};

struct DeviceItems {
  StringId device{};
  std::vector<DeviceItem> items;  // as recorded
};

// The items of a list of events, by device in order of first appearance. Events that cannot be read are left out and
// counted in capture.skipped, as are graphs that go beyond visits.
std::vector<DeviceItems> collect_items(const pickle::Tree& tree, const ProfileRules& rules, pickle::VisitBudget& visits,
                                       Capture& capture);

}  // namespace vizd::tinygrad
