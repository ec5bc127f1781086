#include "cli/devices/xla_tables.h"

#include <algorithm>

#include "analysis/answers/xla_answers.h"
#include "base/ascii_case.h"
#include "cli/devices/answer_records.h"
#include "derived/hlo_modules.h"

namespace vizd {
namespace {

// shown: the fields that people see, by name.
template <typename Row>
void print_xla_rows(const DeviceInput& input, std::span<const Row> rows, const Fields<XlaLineOf<Row>>& fields,
                    std::string_view shown, bool json) {
  std::vector<XlaLineOf<Row>> lines;
  for (const Row& row : rows) lines.push_back({input.loaded->capture, row});
  if (lines.empty()) return input.say_nothing({}, "no device did anything", json);
  if (json) return print_json_rows<XlaLineOf<Row>>(fields, lines);
  shown_records<XlaLineOf<Row>>(choose_fields(fields, shown), lines).print(stdout, false);
}

}  // namespace

void print_xla_kernels(const DeviceInput& input, std::size_t limit, bool json) {
  const std::vector<XlaKernel> rows = xla_kernels(input.loaded->capture);
  print_xla_rows<XlaKernel>(input, first_rows(rows, limit), xla_kernel_fields(),
                            "host device class launches total_ns self_ns time_percent mean_ns median_ns p90_ns max_ns "
                            "bytes_copied name",
                            json);
}

void print_xla_breakdown(const DeviceInput& input, std::int64_t kernel_delay_ns, bool json) {
  const std::vector<XlaBreakdown> rows = xla_breakdown(input.loaded->capture, kernel_delay_ns);
  print_xla_rows<XlaBreakdown>(input, rows, xla_breakdown_fields(),
                               "host device stream events span_ns busy_ns compute_ns communication_ns "
                               "exposed_communication_ns memory_ns infeed_ns async_ns async_overlap_ns idle_ns "
                               "idle_host_ns idle_kernel_ns idle_other_ns gaps",
                               json);
}

void print_xla_steps(const DeviceInput& input, bool json) {
  const std::vector<XlaStepRow> rows = xla_steps(input.loaded->capture);
  print_xla_rows<XlaStepRow>(input, rows, xla_step_fields(),
                             "host device name step span_ns busy_ns compute_ns communication_ns "
                             "exposed_communication_ns memory_ns infeed_ns async_ns async_overlap_ns idle_ns",
                             json);
}

void print_hlo_ops(const DeviceInput& input, const DevicePeaks& peaks, std::string_view name, std::size_t limit,
                   bool json) {
  const Capture& capture = input.loaded->capture;
  if (capture.profile.xla == nullptr) return input.say_nothing({}, "it is no profile of XLA, and has no HLO ops", json);
  const std::vector<XlaHost>& hosts = capture.profile.xla->hosts;
  const std::vector<hlo::HostModules> modules = read_hlo_modules(*capture.profile.xla);
  std::vector<HloOpRow> rows = make_hlo_ops(capture, modules, peaks);
  std::erase_if(rows, [&](const HloOpRow& row) { return !contains_in_any_case(row.op, name); });
  std::vector<HloOpLine> lines;
  for (const HloOpRow& row : first_rows(rows, limit)) lines.push_back({hosts[row.host], row});
  if (json) return print_json_rows(hlo_op_fields(), lines);
  if (lines.empty()) return input.say_nothing({}, "no device worked for such an HLO op", json);
  const auto if_any = [&](auto has, std::string_view names) {
    return std::ranges::any_of(lines, [&](const HloOpLine& line) { return has(line.row); }) ? names : "";
  };
  const std::string names = fmt::format(
      "{}device launches self_ps time_percent {} {}{}{}source module op", hosts.size() > 1 ? "host " : "",
      if_any([](const HloOpRow& row) { return !row.category.empty(); }, "category").empty() ? "opcode" : "category",
      if_any([](const HloOpRow& row) { return row.flops_percent().has_value(); }, "achieved_flops_percent "),
      if_any([](const HloOpRow& row) { return row.bytes_percent().has_value(); }, "achieved_bandwidth_percent "),
      if_any([](const HloOpRow& row) { return !row.impossible().empty(); }, "impossible "));
  shown_records(choose_fields(hlo_op_fields(), names), lines).print(stdout, false);
}

}  // namespace vizd
