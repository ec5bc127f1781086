#include "formats/etdump/dump_blocks.h"

#include <fmt/core.h>

#include <utility>

#include "formats/etdump/block_values.h"
#include "formats/etdump/resolution.h"

namespace vizd::etdump {
namespace {

Result<void> measure(const Settings& settings, const BlockRules& rules, BlockEvent& event) {
  const double scale = event.is_delegated ? settings.delegate_factor(event) : settings.factor();
  for (std::size_t i = 0; i < event.iterations(); ++i) {
    if (rules.duration != nullptr) {
      const auto duration = rules.duration(event, i, settings);
      if (!duration) return duration.error();
      event.raw.push_back(*duration);
    } else {
      event.raw.push_back(static_cast<double>(elapsed_ticks(event.start(i), event.end(i))) / scale);
    }
  }
  const std::size_t left_out = settings.warm_up_iterations < event.raw.size() ? settings.warm_up_iterations : 0;
  if (!event.raw.empty())
    event.statistics = statistics_of({event.raw.begin() + static_cast<std::ptrdiff_t>(left_out), event.raw.end()});
  if (settings.most_raw_values == 0) event.raw = {};
  return {};
}

Result<void> complete(const Settings& settings, const BlockRules& rules, const EtRecord* record, BlockValues& values,
                      Block& block) {
  for (BlockEvent& event : block.events) event.values = values.of(event.logged);
  block.outputs = values.of(block.logged_outputs);
  if (record != nullptr && rules.resolve != nullptr) {
    VIZD_TRY(rules.resolve(*record, block));
  } else if (record != nullptr) {
    resolve(*record, settings.method, block);
  }
  // Last, since a delegate may have a clock of its own.
  for (BlockEvent& event : block.events) VIZD_TRY(measure(settings, rules, event));
  return {};
}

}  // namespace

Result<DumpBlocks> read_blocks(const Sources& sources, const Settings& settings, const BlockRules& rules) {
  DumpBlocks read{
      .settings = settings, .blocks = {}, .record = sources.record, .warnings = {}, .tensors_without_buffer = 0};
  auto blocks = form_blocks(*sources.file, rules.grouping, settings.iteration);
  if (!blocks) return blocks.error();
  read.blocks = *std::move(blocks);
  if (sources.record != nullptr && !settings.method.empty() && sources.record->method(settings.method) == nullptr)
    return Error{ErrorKind::kBadInput, fmt::format("--method {}: the ETRecord has no such method", settings.method),
                 ""};
  BlockValues values(sources.debug_buffer, read.warnings);
  for (Block& block : read.blocks) VIZD_TRY(complete(settings, rules, sources.record, values, block));
  read.tensors_without_buffer = values.without_buffer();
  return read;
}

}  // namespace vizd::etdump
