#include "cli/memory/memory_inputs.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/recorded/recordable.h"
#include "base/standard_streams.h"
#include "cli/command_line/input.h"
#include "cli/command_line/records.h"
#include "formats/torch_memory/format.h"

namespace vizd {
namespace {

using torch_memory::Record;

Cell value_cell(const torch_memory::Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return {};
  if (const auto* const number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* const flag = std::get_if<bool>(&value)) return std::string(*flag ? "yes" : "no");
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  const std::string json = torch_memory::json_of(value);
  if (json == "null") return {};
  const bool is_text = json.size() >= 2 && json.front() == '"';
  return is_text ? json.substr(1, json.size() - 2) : json;
}

}  // namespace

bool is_snapshot(const InputSet& set) { return set.format == &torch_memory::kFormat; }

std::unique_ptr<torch_memory::MemoryFile> open_snapshot(const InputSet& set) {
  if (!is_snapshot(set) || set.files.size() != 1) {
    print_error("vizd: {}: is not a PyTorch memory snapshot; torch.cuda.memory._dump_snapshot() writes one\n",
                set.name);
    return nullptr;
  }
  OpenSet files(set);
  const auto input = files.open(0);
  if (!input) {
    print_error("vizd: {}\n", input.error().text());
    return nullptr;
  }
  auto file = torch_memory::MemoryFile::open(*input);
  if (!file) {
    print_error("vizd: {}\n", file.error().text());
    return nullptr;
  }
  const torch_memory::Snapshot& snapshot = (*file)->snapshot();
  for (const std::string& warning : snapshot.warnings) print_error("vizd: {}\n", warning);
  for (const std::string& note : snapshot.notes) print_error("vizd: {}\n", note);
  for (const auto& [reason, count] : snapshot.skipped) print_error("vizd: skipped {}: {}\n", count, reason);
  return std::move(*file);
}

std::shared_ptr<const LoadedCapture> open_allocators(const InputSet& set) {
  auto loaded = open_recorded(set);
  const auto has_log = [](const Track& track) { return track.allocator != nullptr; };
  if (loaded == nullptr || std::ranges::any_of(loaded->capture.profile.tracks, has_log)) return loaded;
  print_error("vizd: {}: {}\n", set.name, not_recorded(loaded->capture, Recordable::kAllocator).text());
  return nullptr;
}

RecordPrinter::Table& RecordPrinter::table_of(const Record& record) {
  const auto is_same = [&](const Table& table) {
    return std::ranges::equal(table.names, record, {}, {}, &torch_memory::Field::name);
  };
  const auto found = std::ranges::find_if(tables_, is_same);
  if (found != tables_.end()) return *found;
  Table& table = tables_.emplace_back();
  for (const torch_memory::Field& field : record) table.names.push_back(field.name);
  return table;
}

void RecordPrinter::take(const Record& record) {
  if (json_ && limit_ == 0) return print_answer("{}", torch_memory::json_line(record));
  Table& table = table_of(record);
  if (limit_ != 0 && ++table.count > limit_) return;
  if (json_) return print_answer("{}", torch_memory::json_line(record));
  table.rows.push_back(record);
}

void RecordPrinter::finish() {
  if (json_) return;
  bool is_first = true;
  for (const Table& table : tables_) {
    if (!std::exchange(is_first, false)) print_answer("\n");
    Records records(std::vector<std::string>(table.names.begin(), table.names.end()));
    for (const Record& row : table.rows) {
      std::vector<Cell> cells;
      for (const torch_memory::Field& field : row) cells.push_back(value_cell(field.value));
      records.add(std::move(cells));
    }
    records.print(stdout, false);
    if (table.count > table.rows.size())
      print_answer("and {} more; --limit 0 shows all\n", table.count - table.rows.size());
  }
}

}  // namespace vizd
