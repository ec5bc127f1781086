#include "formats/etdump/inspection.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "formats/etdump/resolution.h"

namespace vizd::etdump {
namespace {

constexpr double kMostOf32Bits = 4294967295.0;

// One duration as the Inspector has it: of a delegate's event it takes the difference of scaled times, and where the
// clock went round it is a tick short.
Result<double> inspector_duration(const BlockEvent& event, std::size_t iteration, const Settings& settings) {
  const std::uint64_t from = event.start(iteration), to = event.end(iteration);
  double start = static_cast<double>(from), end = static_cast<double>(to), scale = settings.factor();
  if (event.is_delegated) {
    const double ticks = settings.delegate_ticks.value_or(settings.factor());
    start /= ticks;
    end /= ticks;
    scale = 1;
  } else if (from <= to) {
    return static_cast<double>(to - from) / scale;
  }
  if (start <= end) return (end - start) / scale;
  if (start > kMostOf32Bits || end > kMostOf32Bits)
    return Error{ErrorKind::kBadInput,
                 fmt::format("the Inspector has no answer: {} ends before it starts, and its times are larger than 32 "
                             "bits; leave out --reference-grouping",
                             event.name),
                 ""};
  return (kMostOf32Bits - start + end) / scale;
}

Result<void> measure(const Settings& settings, BlockEvent& event) {
  for (std::size_t i = 0; i < event.iterations(); ++i) {
    if (settings.is_reference) {
      const auto duration = inspector_duration(event, i, settings);
      if (!duration) return duration.error();
      event.raw.push_back(*duration);
    } else {
      const double scale = event.is_delegated ? settings.delegate_factor(event.backend) : settings.factor();
      event.raw.push_back(static_cast<double>(elapsed_ticks(event.start(i), event.end(i))) / scale);
    }
  }
  std::size_t left_out = settings.is_reference ? 0 : settings.warm_up_iterations;
  if (left_out >= event.raw.size()) left_out = 0;
  if (!event.raw.empty())
    event.statistics = statistics_of({event.raw.begin() + static_cast<std::ptrdiff_t>(left_out), event.raw.end()});
  if (settings.most_raw_values == 0) event.raw = {};
  return {};
}

class Values {
 public:
  Values(const Sources& sources, std::vector<std::string>& warnings) : sources_(sources), warnings_(warnings) {}

  std::vector<Value> of(const std::vector<LoggedValue>& logged) {
    std::vector<Value> values;
    for (const LoggedValue& value : logged) values.push_back(value_of(value));
    return values;
  }

 private:
  Value value_of(const LoggedValue& logged) {
    using Kind = LoggedValue::Kind;
    switch (logged.kind) {
      case Kind::kInteger:
        return {logged.integer};
      case Kind::kBoolean:
        return {logged.boolean};
      case Kind::kFloat:
      case Kind::kDouble:
        return {logged.real};
      case Kind::kTensor:
        return tensor_of(logged.tensors.front());
      case Kind::kTensorList: {
        std::vector<Value> list;
        for (const LoggedTensor& tensor : logged.tensors) list.push_back(tensor_of(tensor));
        return {std::move(list)};
      }
      case Kind::kNone:
      case Kind::kText:
        break;
    }
    return {};
  }

  Value tensor_of(const LoggedTensor& logged) {
    const auto type = static_cast<ScalarType>(logged.scalar_type);
    const bool has_buffer = sources_.debug_buffer.has_value();
    const std::span<const std::byte> buffer = sources_.debug_buffer.value_or(std::span<const std::byte>());
    const bool is_inside = logged.offset >= 0 && static_cast<std::uint64_t>(logged.offset) <= buffer.size();
    if (has_buffer && is_inside && spend(logged)) {
      auto tensor = make_tensor(type, logged.sizes, buffer.subspan(static_cast<std::size_t>(logged.offset)));
      if (tensor) return {*std::move(tensor)};
    }
    if (has_buffer && !is_inside && std::exchange(tells_buffer_, false))
      warnings_.emplace_back("logged tensors lie outside of the debug buffer: is it that of another run?");
    if (logged.scalar_type < 0 || logged.scalar_type >= kScalarTypeCount || !element_count_of(logged.sizes)) return {};
    return {Tensor{.type = type, .shape = logged.sizes, .bytes = {}, .no_data = true}};
  }

  // Tensors may lie on one another, so that a small buffer could stand for a huge one. Whether there was enough left.
  bool spend(const LoggedTensor& logged) {
    constexpr std::uint64_t kMostPerByte = 64, kFreeBytes = std::uint64_t{1} << 20, kMostElementBytes = 16;
    const std::uint64_t most = kMostPerByte * (sources_.debug_buffer->size() + kFreeBytes);
    const auto elements = element_count_of(logged.sizes);
    if (elements) spent_ += *elements * kMostElementBytes;
    if (spent_ <= most) return true;
    if (std::exchange(tells_size_, false))
      warnings_.emplace_back("logged tensors are larger together than the debug buffer can be: the last are left out");
    return false;
  }

  const Sources& sources_;
  std::vector<std::string>& warnings_;
  std::uint64_t spent_ = 0;
  bool tells_buffer_ = true, tells_size_ = true;
};

// How far a block's outputs are from those of a test case: the sum of squares; none where they are not of one shape.
std::optional<double> distance(const std::vector<Value>& outputs, const std::vector<Value>& reference) {
  if (outputs.size() != reference.size()) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor* a = outputs[i].tensor();
    const Tensor* b = reference[i].tensor();
    if (a == nullptr || b == nullptr || a->no_data || b->no_data || a->element_count() != b->element_count())
      return std::nullopt;
    const std::vector<double> x = elements(*a), y = elements(*b);
    for (std::size_t k = 0; k < x.size(); ++k) sum += (x[k] - y[k]) * (x[k] - y[k]);
  }
  return sum;
}

// The outputs that the block was to have: of its test case, or where it names none of the one that it is nearest to.
const std::vector<Value>* reference_of(const Block& block) {
  if (block.method == nullptr) return nullptr;
  const auto& cases = block.method->reference_outputs;
  if (block.bundled_input >= 0) {
    const auto place = static_cast<std::size_t>(block.bundled_input);
    return place < cases.size() ? &cases[place] : nullptr;
  }
  const std::vector<Value>* nearest = nullptr;
  double least = 0;
  for (const std::vector<Value>& outputs : cases) {
    const auto found = distance(block.outputs, outputs);
    if (!found || (nearest != nullptr && !(*found < least))) continue;
    nearest = &outputs;
    least = *found;
  }
  return nearest;
}

const std::vector<Value>* inspector_reference_of(const Block& block) {
  if (block.method == nullptr || block.method->reference_outputs.empty()) return nullptr;
  const auto& cases = block.method->reference_outputs;
  // Python's index -1 is the last.
  if (block.bundled_input == -1) return &cases.back();
  const auto place = static_cast<std::size_t>(block.bundled_input);
  return place < cases.size() ? &cases[place] : nullptr;
}

Result<void> inspect_block(const Settings& settings, const EtRecord* record, Values& values, Block& block) {
  for (BlockEvent& event : block.events) event.values = values.of(event.logged);
  block.outputs = values.of(block.logged_outputs);
  if (record != nullptr && settings.is_reference) {
    VIZD_TRY(resolve_as_inspector(*record, block));
    block.reference_outputs = inspector_reference_of(block);
  } else if (record != nullptr) {
    resolve(*record, settings.method, block);
    block.reference_outputs = reference_of(block);
  }
  // Last, since a delegate may have a clock of its own.
  for (BlockEvent& event : block.events) VIZD_TRY(measure(settings, event));
  return {};
}

}  // namespace

Result<Inspection> inspect(const Sources& sources, const Settings& settings) {
  Inspection inspection;
  inspection.settings = settings;
  inspection.record = sources.record;
  inspection.reference = sources.reference;
  const Grouping grouping = settings.is_reference ? Grouping::kReference : Grouping::kWhole;
  auto blocks = form_blocks(*sources.file, grouping, settings.is_reference ? 0 : settings.iteration);
  if (!blocks) return blocks.error();
  inspection.blocks = *std::move(blocks);
  if (sources.record != nullptr && !settings.method.empty() && sources.record->method(settings.method) == nullptr)
    return Error{ErrorKind::kBadInput, fmt::format("--method {}: the ETRecord has no such method", settings.method),
                 ""};
  Values values(sources, inspection.warnings);
  for (Block& block : inspection.blocks) VIZD_TRY(inspect_block(settings, sources.record, values, block));
  if (!settings.reference_tensors.empty()) {
    auto tensors = read_reference_tensors(settings.reference_tensors, inspection.warnings);
    if (!tensors) return tensors.error();
    inspection.reference_tensors = *std::move(tensors);
  }
  return inspection;
}

bool is_of_framework(const std::string& name) {
  return name == "Method::init" || name == "Program::load_method" || name == "Method::execute" ||
         name == "Method::step";
}

bool is_operator_call(const std::string& name) { return name == "OPERATOR_CALL"; }

std::vector<GapEvent> gap_events(const Block& block) {
  std::vector<GapEvent> events;
  for (const BlockEvent& event : block.events) {
    if (event.values.empty()) continue;
    events.push_back({.name = event.name,
                      .instruction = event.instruction.value_or(-1),
                      .debug_handles = event.debug_handles.value_or(std::vector<std::int64_t>()),
                      .op_types = event.op_types,
                      .is_delegated = event.is_delegated,
                      .values = event.values,
                      .occurrence = event.occurrence});
  }
  return events;
}

namespace {

// Calls visit(module level) for each that a node of the event stands in.
template <typename Visit>
void for_each_module(const Block& block, const BlockEvent& event, Visit&& visit) {
  for (const std::uint32_t node : event.nodes) {
    const auto& modules = block.method->edge->nodes[node].modules;
    if (!modules) continue;
    for (const ModuleLevel& level : *modules) visit(level);
  }
}

}  // namespace

std::vector<std::string> module_keys(const Inspection& inspection) {
  std::set<std::string> keys;
  for (const Block& block : inspection.blocks) {
    for (const BlockEvent& event : block.events)
      for_each_module(block, event, [&](const ModuleLevel& level) { keys.insert(level.key); });
  }
  return {keys.begin(), keys.end()};
}

double inspector_module_total(const Inspection& inspection, const std::string& key) {
  double total = 0;
  for (const Block& block : inspection.blocks) {
    for (const BlockEvent& event : block.events) {
      if (is_operator_call(event.name) || !event.statistics) continue;
      bool is_in = false;
      for_each_module(block, event,
                      [&](const ModuleLevel& level) { is_in = is_in || level.key.find(key) != std::string::npos; });
      if (is_in) total += event.statistics->average;
    }
  }
  return total;
}

}  // namespace vizd::etdump
