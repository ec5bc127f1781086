#include "reference/inspector/shares.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "formats/etdump/calls.h"

namespace vizd::inspector {
namespace {

// "Transpose (ND, X32)" of "Transpose (ND, X32) #2": delegates number what they do within one call.
std::string without_number(const std::string& name) {
  const auto mark = name.rfind(" #");
  const bool is_numbered =
      mark != name.npos && mark + 2 < name.size() && name.find_first_not_of("0123456789", mark + 2) == name.npos;
  return is_numbered ? name.substr(0, mark) : name;
}

double average_of(const BlockEvent& event) { return event.statistics ? event.statistics->average : 0; }

// The runtime's event around all others of an iteration: a whole execution, or a loading.
bool is_whole_event(const BlockEvent& event) {
  return !event.is_delegated && (event.name == "Method::execute" || event.name == "Program::load_method");
}

// Events directly below the one around all.
bool is_outer(const BlockEvent& event, const CallTree& calls, std::size_t place) {
  return !calls.around[place] && !event.is_delegated && !is_whole_event(event) && event.is_timed;
}

}  // namespace

double whole_of(const Block& block) {
  double whole = 0, work = 0;
  for (const BlockEvent& event : block.events) {
    if (is_whole_event(event)) whole += average_of(event);
    if (is_work(event)) work += average_of(event);
  }
  return whole > 0 ? whole : work;
}

std::vector<NameShare> by_name(const Block& block) {
  const CallTree calls = call_tree(block);
  std::vector<double> inner(block.events.size());
  std::vector<bool> is_apart(block.events.size());
  double outer = 0;
  for (std::size_t i = 0; i < block.events.size(); ++i) {
    const BlockEvent& event = block.events[i];
    if (is_outer(event, calls, i)) outer += average_of(event);
    const bool has_parts_apart = is_delegate_call(event) && event.iterations() > 0 && has_own_clock(block, calls, i, 0);
    for (const std::size_t part : calls.parts[i]) {
      is_apart[part] = has_parts_apart;
      if (!has_parts_apart) inner[i] += average_of(block.events[part]);
    }
  }
  std::vector<NameShare> rows;
  std::map<std::tuple<std::string, std::string, bool>, std::size_t> places;
  for (std::size_t i = 0; i < block.events.size(); ++i) {
    const BlockEvent& event = block.events[i];
    if (!event.statistics) continue;
    const std::string name = event.is_delegated ? without_number(event.name) : event.name;
    const std::string backend = event.backend.value_or("");
    const auto [place, is_new] = places.try_emplace({name, backend, event.is_delegated}, rows.size());
    if (is_new) rows.push_back({.name = name, .backend = backend, .is_delegated = event.is_delegated});
    NameShare& row = rows[place->second];
    ++row.calls;
    row.is_apart = row.is_apart || is_apart[i];
    row.total += average_of(event);
    row.self += std::max(0.0, average_of(event) - (is_whole_event(event) ? outer : inner[i]));
  }
  std::ranges::stable_sort(rows, std::greater(), &NameShare::self);
  return rows;
}

std::vector<BackendShare> by_backend(const Block& block) {
  std::vector<BackendShare> rows;
  BackendShare own;
  std::vector<std::set<std::uint32_t>> nodes;
  std::set<std::uint32_t> own_nodes;
  for (const BlockEvent& event : block.events) {
    if (!is_work(event)) continue;
    BackendShare* row = &own;
    std::set<std::uint32_t>* seen = &own_nodes;
    if (is_delegate_call(event)) {
      const std::string backend = event.backend.value_or("a delegate");
      const auto place =
          static_cast<std::size_t>(std::ranges::find(rows, backend, &BackendShare::backend) - rows.begin());
      if (place == rows.size()) {
        rows.push_back({.backend = backend});
        nodes.emplace_back();
      }
      row = &rows[place];
      seen = &nodes[place];
    }
    ++row->calls;
    row->total += average_of(event);
    seen->insert(event.nodes.begin(), event.nodes.end());
    row->nodes = seen->size();
  }
  if (own.calls > 0) rows.push_back(own);
  return rows;
}

}  // namespace vizd::inspector
