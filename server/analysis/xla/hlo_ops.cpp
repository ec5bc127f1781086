#include "analysis/xla/hlo_ops.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "analysis/xla/op_traits.h"
#include "analysis/xla/xla_times.h"
#include "base/ascii_case.h"

namespace vizd {
namespace {

constexpr double kPicosecondsPerSecond = 1e12;

std::string_view without_colons(std::string_view name) {
  while (name.ends_with(':')) name.remove_suffix(1);
  return name;
}

// A product that exceeds 64 bits becomes the largest number that fits.
void multiply_by(std::optional<std::int64_t>& each, std::int64_t count) {
  if (each && __builtin_mul_overflow(*each, count, &*each)) each = std::numeric_limits<std::int64_t>::max();
}

// Finds the instruction of an op in the modules of a host. Refers to the modules.
class Programs {
 public:
  struct Program {
    const hlo::ProgramModule* source = nullptr;
    // By name; null where several instructions have it, since none of them is meant then for sure.
    std::unordered_map<std::string_view, const hlo::Instruction*> instructions;

    const hlo::Instruction* find(std::string_view op) const {
      const auto found = instructions.find(op);
      return found == instructions.end() ? nullptr : found->second;
    }
  };

  explicit Programs(const hlo::HostModules& modules);

  // The program of that number; of work without a number the first module of that name. Null where there is none.
  const Program* find(const std::optional<std::uint64_t>& program_id,
                      const std::optional<std::string_view>& module) const;
  bool has(const std::optional<std::uint64_t>& program_id) const { return by_id_.contains(program_id); }

 private:
  std::vector<Program> programs_;  // in the order of their first modules
  std::map<std::optional<std::uint64_t>, std::size_t> by_id_;
};

Programs::Programs(const hlo::HostModules& modules) {
  for (const hlo::ProgramModule& module : modules) {
    if (!module.module) continue;
    const auto [place, is_new] = by_id_.try_emplace(module.program_id, programs_.size());
    // If several modules have one number, the last one counts.
    Program& program = is_new ? programs_.emplace_back() : programs_[place->second];
    program = {.source = &module, .instructions = {}};
    program.instructions.reserve(module.module->instructions.size());
    for (const hlo::Instruction& instruction : module.module->instructions) {
      const auto [known, is_first] = program.instructions.try_emplace(instruction.name, &instruction);
      if (!is_first) known->second = nullptr;
    }
  }
}

const Programs::Program* Programs::find(const std::optional<std::uint64_t>& program_id,
                                        const std::optional<std::string_view>& module) const {
  if (const auto found = by_id_.find(program_id); found != by_id_.end()) return &programs_[found->second];
  if (program_id || !module || module->empty()) return nullptr;
  const auto named = std::ranges::find(programs_, *module, [](const Program& program) { return program.source->name; });
  return named == programs_.end() ? nullptr : &*named;
}

struct Stated {
  PeakSource source = PeakSource::kNone;
  std::optional<double> flops, bytes_per_s;
};

std::optional<double> real_of(const XlaNumber& number) {
  if (!number) return std::nullopt;
  return std::visit([](auto value) { return static_cast<double>(value); }, *number);
}

Stated stated(PeakSource source, const DevicePeak* peak) {
  if (peak == nullptr) return {};
  return {source, peak->flops(Precision::kBf16), peak->bytes_per_s()};
}

// Adds up the ops of one host.
class OpsOfHost {
 public:
  OpsOfHost(const Capture& capture, std::uint32_t place, const hlo::HostModules& modules)
      : host_(capture.profile.xla->hosts[place]),
        place_(place),
        strings_(capture.strings),
        programs_(modules),
        times_(find_xla_times(host_, strings_)) {}

  std::vector<HloOpRow> rows(const DevicePeaks& peaks) {
    for (const XlaStream& stream : host_.streams) {
      for (std::size_t w = stream.first; w < stream.first + stream.count; ++w) add(stream.device, w);
    }
    finish_executions();
    for (HloOpRow& row : rows_) {
      for (auto* figure : {&row.flops, &row.model_flops, &row.bytes_accessed, &row.dot_flops})
        multiply_by(*figure, row.executions);
      const std::int64_t all_ps = times_.device_self_ps[row.device];
      if (all_ps > 0) row.time_percent = 100 * static_cast<double>(row.self_ps) / static_cast<double>(all_ps);
      row.peaks = find_hlo_peaks(host_.devices[row.device], peaks);
    }
    std::ranges::stable_sort(rows_, [](const HloOpRow& a, const HloOpRow& b) {
      return std::tuple(a.device, b.self_ps) < std::tuple(b.device, a.self_ps);
    });
    return std::move(rows_);
  }

 private:
  using Key =
      std::tuple<std::uint32_t, std::optional<std::uint64_t>, std::optional<std::string_view>, std::string_view>;

  void add(std::uint32_t device, std::size_t place) {
    const XlaWork& work = host_.work[place];
    const XlaWorkKind& kind = host_.kinds[work.kind];
    if (kind.op == StringId{kNoId}) return;
    const auto [known, is_new] = row_of_kind_.try_emplace({device, work.kind});
    if (is_new) known->second = row_of(device, work.kind);
    HloOpRow& row = rows_[known->second];
    ++row.launches;
    row.total_ps += work.timed.dur_ps();
    row.drawn_ps += work.drawn.dur_ps();
    row.self_ps += times_.self_ps[place];
    ++launches_[{known->second, kind.name}];
  }

  std::size_t row_of(std::uint32_t device, std::uint32_t kind_place) {
    const XlaWorkKind& kind = host_.kinds[kind_place];
    std::optional<std::string_view> module;
    if (kind.module != StringId{kNoId}) module = strings_.get(kind.module);
    const Programs::Program* const program = programs_.find(kind.program_id, module);
    if (!module && program != nullptr) module = program->source->name;
    const Key key(device, kind.program_id, module, strings_.get(kind.op));
    const auto [found, is_new] = row_of_key_.try_emplace(key, rows_.size());
    if (!is_new) return found->second;
    HloOpRow& row = rows_.emplace_back();
    row.host = place_;
    std::tie(row.device, row.program_id, row.module, row.op) = key;
    row.is_communication = times_.traits[kind_place].is_communication;
    if (kind.work != XlaClass::kOp) row.kernels = 0;
    if (kind.metadata != kNoId) describe_by_metadata(row, kind);
    if (program != nullptr && !row.op.empty()) describe_by_program(row, *program);
    row.op_name = without_colons(row.op_name);
    return found->second;
  }

  void describe_by_metadata(HloOpRow& row, const XlaWorkKind& kind) const {
    const XlaOpMetadata& metadata = host_.metadata[kind.metadata];
    if (kind.work == XlaClass::kOp) row.category = strings_.get(metadata.category);
    row.op_name = strings_.get(metadata.op_name);
    if (const std::string_view source = strings_.get(metadata.source); !source.empty()) row.source = source;
    row.flops = metadata.flops;
    row.model_flops = metadata.model_flops;
    row.bytes_accessed = metadata.bytes_accessed;
  }

  // The profile takes precedence over the module.
  void describe_by_program(HloOpRow& row, const Programs::Program& program) const {
    row.instruction = program.find(row.op);
    if (row.instruction == nullptr) return;
    if (row.op_name.empty()) row.op_name = row.instruction->op_name;
    if (!row.source) row.source = row.instruction->source();
    row.dot_flops = row.instruction->flop;
    // Work whose program is known by its module's name alone may be another program's of that name.
    if (row.instruction->is_fusion() && programs_.has(row.program_id))
      row.fused_instructions = static_cast<std::int64_t>(program.source->module->fused_instructions(*row.instruction));
  }

  // An op that is several kernels was executed as often as the one of them that was launched the least: another may be
  // launched twice an execution.
  void finish_executions() {
    for (const auto& [row_and_name, launches] : launches_) {
      HloOpRow& row = rows_[row_and_name.first];
      if (!row.kernels) {
        row.executions = row.launches;
      } else {
        row.executions = *row.kernels == 0 ? launches : std::min(row.executions, launches);
        ++*row.kernels;
      }
    }
  }

  const XlaHost& host_;
  const std::uint32_t place_;
  const StringTable& strings_;
  const Programs programs_;
  const XlaTimes times_;
  std::vector<HloOpRow> rows_;
  std::map<Key, std::size_t> row_of_key_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> row_of_kind_;  // by device and kind
  std::map<std::pair<std::size_t, StringId>, std::int64_t> launches_;           // by row and kernel
};

}  // namespace

HloPeaks find_hlo_peaks(const XlaDevice& device, const DevicePeaks& peaks) {
  const Stated file = stated(PeakSource::kFile, device.type.empty() ? nullptr : peaks.find_added(device.type));
  const Stated table = stated(PeakSource::kTable, device.type.empty() ? nullptr : peaks.find_own(device.type));
  const Stated plane{PeakSource::kPlane, real_of(device.peak_flops), real_of(device.peak_bytes_per_s)};
  const bool is_amd = contains_in_any_case(device.vendor, "AMD");
  HloPeaks found;
  for (const Stated& next : {file, is_amd ? table : plane, is_amd ? plane : table}) {
    if (!found.flops && next.flops.value_or(0) > 0) found.flops = next.flops, found.of_flops = next.source;
    if (!found.bytes_per_s && next.bytes_per_s.value_or(0) > 0)
      found.bytes_per_s = next.bytes_per_s, found.of_bytes = next.source;
  }
  return found;
}

bool HloOpRow::is_asynchronous() const {
  const std::string_view name = instruction != nullptr ? instruction->opcode : op_base_name(op);
  return name.ends_with("-start") || name.ends_with("-done");
}

std::optional<double> HloOpRow::share(const std::optional<std::int64_t>& amount,
                                      const std::optional<double>& peak) const {
  if (!amount || !peak || self_ps <= 0 || is_asynchronous()) return std::nullopt;
  return 100 * static_cast<double>(*amount) / (static_cast<double>(self_ps) / kPicosecondsPerSecond) / *peak;
}

std::string HloOpRow::impossible() const {
  std::string text;
  const auto add = [&](std::string_view what, const std::optional<double>& percent, PeakSource peak_of) {
    if (!percent || *percent <= 100) return;
    text += fmt::format("{}{:.0f} % of the {} by {}: this peak or what the op did is wrong", text.empty() ? "" : "; ",
                        *percent, what, kPeakSourceNames[static_cast<std::size_t>(peak_of)]);
  };
  add("peak FLOP/s", flops_share(), peaks.of_flops);
  add("peak bytes/s", bytes_share(), peaks.of_bytes);
  return text;
}

std::vector<HloOpRow> make_hlo_ops(const Capture& capture, std::span<const hlo::HostModules> modules,
                                   const DevicePeaks& peaks) {
  std::vector<HloOpRow> rows;
  for (std::uint32_t host = 0; host < capture.profile.xla->hosts.size(); ++host) {
    std::vector<HloOpRow> of_host = OpsOfHost(capture, host, modules[host]).rows(peaks);
    std::ranges::move(of_host, std::back_inserter(rows));
  }
  return rows;
}

}  // namespace vizd
