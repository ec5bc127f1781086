#include "formats/etdump/node_metadata.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace vizd::etdump {
namespace {

namespace dom = simdjson::dom;

// "key,path,type;key,path,type"; a key that comes again takes the place of the first.
void read_modules(std::string_view text, ProgramNode& node) {
  auto& levels = node.modules.emplace();
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(entry.size() + 1, text.size()));
    const std::size_t first = entry.find(','), second = first == entry.npos ? first : entry.find(',', first + 1);
    if (second == entry.npos) continue;
    ModuleLevel level{std::string(entry.substr(0, first)), std::string(entry.substr(first + 1, second - first - 1)),
                      std::string(entry.substr(second + 1))};
    const auto same = std::ranges::find(levels, level.key, &ModuleLevel::key);
    same == levels.end() ? levels.push_back(std::move(level)) : static_cast<void>(*same = std::move(level));
  }
}

// The way back through the last node of each list.
void add_origins(dom::element list, std::vector<NodeOrigin>& origins) {
  dom::array items;
  while (list.get_array().get(items) == simdjson::SUCCESS && items.size() != 0) {
    const dom::element last = items.at(items.size() - 1).value();
    NodeOrigin origin{text_at(last, "name"), 0};
    if (const auto id = child(last, "graph_id")) origin.graph_id = integer_of(*id).value_or(0);
    origins.push_back(std::move(origin));
    const auto next = child(last, "from_node");
    if (!next) return;
    list = *next;
  }
}

}  // namespace

void read_metadata(dom::element metadata, ProgramNode& node) {
  const std::string handle = text_at(metadata, "debug_handle");
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(handle.data(), handle.data() + handle.size(), number);
  if (error == std::errc() && end == handle.data() + handle.size() && !handle.empty()) node.debug_handle = number;
  if (std::string trace = text_at(metadata, "stack_trace"); !trace.empty()) node.stack_trace = std::move(trace);
  if (const std::string modules = text_at(metadata, "nn_module_stack"); !modules.empty()) read_modules(modules, node);
  node.source_fn = text_at(metadata, "source_fn_stack");
  node.torch_fn = text_at(metadata, "torch_fn");
  if (const std::string from = text_at(metadata, "from_node"); !from.empty()) {
    const auto bytes = std::as_bytes(std::span(from));
    if (const auto origins = JsonDocument::parse(bytes, "from_node")) add_origins(origins->root(), node.origins);
  }
}

}  // namespace vizd::etdump
