// kernel: what ran on the devices, by name: launches and how their durations spread.
#include <string>

#include "analysis/answers/device_answers.h"
#include "query/answer_tables.h"

namespace vizd::sql {
namespace {

std::string device_name(const WorkDevice& device, const Capture& capture) {
  if (!device.number) return device.name;
  if (const auto* number = std::get_if<std::int64_t>(&*device.number)) return std::to_string(*number);
  if (const auto* text = std::get_if<StringId>(&*device.number)) return std::string(capture.strings.get(*text));
  return device.name;
}

}  // namespace

void add_kernel_table(TableList& tables, Catalog& catalog) {
  constexpr TableText kText{"kernel", "What ran on the devices, by name; the most time first.", "The kernel's number"};
  const auto answer = std::make_shared<AnswerRows<KernelRow>>();
  RowTable::Description table =
      answer_table(catalog, kText, answer, [&catalog](std::size_t source, const DeviceAnalysis& devices) {
        return make_kernel_table(catalog.capture(source), devices.work, devices.operators, devices.figures,
                                 DevicePeaks(), {});
      });
  const auto line = [answer, &catalog](const Place& p) {
    return KernelLine{catalog.capture(p.source), answer->devices(p).work, answer->row(p)};
  };
  const auto longest = [answer](const Place& p) -> const WorkItem& {
    return answer->devices(p).work.items[answer->row(p).worst];
  };
  const Fields<KernelLine> fields = kernel_fields();
  add_field_columns(table.columns, choose_fields(fields, "name"), line);
  table.columns.push_back(
      {{"device", ColumnType::kText, "The device's index, or its name"}, [line](const Place& p, Cell& cell) {
         const KernelLine of = line(p);
         cell.copied_text(device_name(of.work.devices[of.row.device], of.capture));
       }});
  table.columns.push_back(
      {{"category", ColumnType::kText, "As the capture has it"}, [longest, &catalog](const Place& p, Cell& cell) {
         const Capture& capture = catalog.capture(p.source);
         const WorkItem& item = longest(p);
         cell.text_or_null(capture.strings.get(capture.profile.tracks[item.track].events.category(item.event)));
       }});
  table.columns.push_back(
      {{"is_communication", ColumnType::kInteger, "1 if it moves data between ranks", false},
       [answer](const Place& p, Cell& cell) { cell.integer(answer->row(p).is_communication ? 1 : 0); }});
  add_field_columns(table.columns,
                    choose_fields(fields, "launches total_ns mean_ns median_ns p90_ns p99_ns min_ns max_ns"), line);
  table.columns.push_back(longest_slice_column(catalog, "slice.id of the longest", longest));
  table.columns.push_back({{"context_id", ColumnType::kInteger, "context.id of the rewrites that made it"},
                           [longest, &catalog](const Place& p, Cell& cell) {
                             const WorkItem& item = longest(p);
                             const auto& links = catalog.timeline(p.source).lanes[item.track].link_context;
                             write_id(catalog.contexts(), p.source, links[item.event], cell);
                           }});
  table.columns.push_back(capture_id_column());
  add_field_columns(
      table.columns,
      choose_fields(
          fields,
          "rank class time_percent bytes_copied flop bytes flop_known bytes_known flop_per_s bytes_per_s "
          "precision peak_flops peak_bytes_per_s flop_percent bytes_percent overcounted bound at_stake_ns work_from "
          "copied_per_s host_memory"),
      line);
  tables.push_back(std::make_unique<RowTable>(std::move(table), catalog.sources().size()));
}

}  // namespace vizd::sql
