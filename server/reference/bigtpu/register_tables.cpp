#include "reference/bigtpu/register_tables.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "reference/bigtpu/sheet_columns.h"

namespace vizd::bigtpu {
namespace {

class RegisterTable {
 public:
  RegisterTable(const Capture& capture, std::string name, std::span<const SheetColumn> known)
      : capture_(capture), known_(known) {
    table_.name = std::move(name);
    table_.columns = {"device",        "Engine Id",     "Core Id",        "Port",         "Global Idx", "Cmd Id",
                      "Function Type", "Function Name", "Start Time(ns)", "End Time(ns)", "Asic Cycle"};
  }

  void add(std::span<const EngineLane* const> lanes) {
    for (const EngineLane* lane : lanes) find_columns(capture_.profile.tracks[lane->track]);
    // In bigTpuProfile's order, and then in that of the capture.
    std::ranges::stable_sort(columns_, {}, [&](const Column& column) { return column.place; });
    for (const Column& column : columns_) table_.columns.push_back(column.heading);
    for (const EngineLane* lane : lanes) add_rows(*lane);
  }

  OwnTable take() { return std::move(table_); }

 private:
  struct Column {
    std::string_view argument;
    std::string heading;
    std::size_t place;  // among those that bigTpuProfile has
  };

  void find_columns(const Track& track) {
    // What the first columns say already.
    constexpr std::string_view kSaid[] = {"command id", "start cycle", "cycles", "core"};
    for (const ArgumentColumn& of : track.arguments) {
      const std::string_view argument = capture_.strings.get(of.name);
      if (std::ranges::find(kSaid, argument) != std::end(kSaid)) continue;
      if (std::ranges::find(columns_, argument, &Column::argument) != columns_.end()) continue;
      const auto known = std::ranges::find(known_, argument, &SheetColumn::argument);
      const bool is_known = known != known_.end();
      columns_.push_back(
          {argument, std::string(is_known ? known->name : argument), static_cast<std::size_t>(known - known_.begin())});
    }
  }

  OwnCell cell_of(const std::optional<ArgumentValue>& value) const {
    if (!value) return {};
    if (const auto* const integer = std::get_if<std::int64_t>(&*value)) return *integer;
    if (const auto* const real = std::get_if<double>(&*value)) return *real;
    if (const auto* const text = std::get_if<StringId>(&*value)) return std::string(capture_.strings.get(*text));
    return {};
  }

  void add_rows(const EngineLane& lane) {
    const LaneCommands commands(capture_, lane);
    for (std::size_t i = 0; i < commands.size(); ++i) {
      const auto id = commands.id(i);
      const std::int64_t start_ns = commands.start_ns(i);
      std::vector<OwnCell> cells{lane.device,
                                 std::int64_t{lane.number()},
                                 lane.core >= 0 ? OwnCell(lane.core) : cell_of(commands.value(i, "core")),
                                 lane.port >= 0 ? OwnCell(lane.port) : OwnCell(),
                                 static_cast<std::int64_t>(i),
                                 id ? OwnCell(*id) : OwnCell(),
                                 std::string(commands.type(i)),
                                 std::string(commands.name(i)),
                                 start_ns,
                                 commands.last_ns(i),
                                 commands.cycles(i)};
      for (const Column& column : columns_) cells.push_back(cell_of(commands.value(i, column.argument)));
      table_.rows.push_back(std::move(cells));
    }
  }

  const Capture& capture_;
  std::span<const SheetColumn> known_;
  std::vector<Column> columns_;
  OwnTable table_;
};

}  // namespace

std::vector<OwnTable> register_tables(const Capture& capture, std::span<const EngineLane> lanes) {
  struct Kind {
    const char* name;
    std::span<const SheetColumn> known;
    bool (*has)(Engine engine);
  };
  const Kind kinds[] = {
      {"tiuRegInfo", kTiuColumns, [](Engine engine) { return engine == Engine::kTiu; }},
      {"tdmaRegInfo", kDmaColumns, [](Engine engine) { return engine == Engine::kGdma || engine == Engine::kSdma; }},
      {"cdmaRegInfo", kDmaColumns, [](Engine engine) { return engine == Engine::kCdma; }}};
  std::vector<OwnTable> tables;
  for (const Kind& kind : kinds) {
    std::vector<const EngineLane*> own;
    for (const EngineLane& lane : lanes)
      if (kind.has(lane.engine)) own.push_back(&lane);
    RegisterTable table(capture, kind.name, kind.known);
    table.add(own);
    tables.push_back(table.take());
  }
  return tables;
}

}  // namespace vizd::bigtpu
