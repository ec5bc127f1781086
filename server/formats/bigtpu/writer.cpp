// Writes the commands of a profile as the table that bigTpuProfile makes (PerfDoc/*.csv): its columns by its names, a
// command a line. What vizd does not know of a command stays empty, where that program makes something up.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "formats/bigtpu/engine_lanes.h"
#include "formats/bigtpu/format.h"

namespace vizd::bigtpu {
namespace {

// The columns that arguments fill, by their names; of TIU's commands, of the others', or of both.
enum class Of : std::uint8_t { kAll, kTiu, kDma };
struct Column {
  std::string_view name, argument;
  Of of = Of::kAll;
};
constexpr Column kColumns[] = {
    {"Data Type", "data type"},
    {"Bank Conflicts", "bank conflicts", Of::kTiu},
    {"des_cmd_id_dep", "waits for command", Of::kTiu},
    {"des_res0_n", "result n", Of::kTiu},
    {"des_res0_c", "result c", Of::kTiu},
    {"des_res0_h", "result h", Of::kTiu},
    {"des_res0_w", "result w", Of::kTiu},
    {"des_opd0_n", "operand 0 n", Of::kTiu},
    {"des_opd0_c", "operand 0 c", Of::kTiu},
    {"des_opd0_h", "operand 0 h", Of::kTiu},
    {"des_opd0_w", "operand 0 w", Of::kTiu},
    {"des_opd1_n", "operand 1 n", Of::kTiu},
    {"des_opd1_c", "operand 1 c", Of::kTiu},
    {"des_opd1_h", "operand 1 h", Of::kTiu},
    {"des_opd1_w", "operand 1 w", Of::kTiu},
    {"des_res0_addr", "result address", Of::kTiu},
    {"des_opd0_addr", "operand 0 address", Of::kTiu},
    {"des_opd1_addr", "operand 1 address", Of::kTiu},
    {"des_opd2_addr", "operand 2 address", Of::kTiu},
    {"des_tsk_typ", "command type", Of::kTiu},
    {"des_tsk_eu_typ", "command function", Of::kTiu},
    {"DMA data size(B)", "bytes", Of::kDma},
    {"Stall Cycle", "GIF stall", Of::kDma},
    {"DDR Bandwidth(GB/s)", "", Of::kDma},  // from the bandwidth and the direction
    {"L2M Bandwidth(GB/s)", "", Of::kDma},
    {"Direction", "direction", Of::kDma},
    {"cmd_id_dep", "waits for command", Of::kDma},
    {"cmd_special_function", "command function", Of::kDma},
    {"src_start_addr", "source address", Of::kDma},
    {"dst_start_addr", "target address", Of::kDma},
    {"src_nsize", "source n", Of::kDma},
    {"src_csize", "source c", Of::kDma},
    {"src_hsize", "source h", Of::kDma},
    {"src_wsize", "source w", Of::kDma},
    {"dst_nsize", "target n", Of::kDma},
    {"dst_csize", "target c", Of::kDma},
    {"dst_hsize", "target h", Of::kDma},
    {"dst_wsize", "target w", Of::kDma},
    {"src_nstride", "source stride n", Of::kDma},
    {"src_cstride", "source stride c", Of::kDma},
    {"src_hstride", "source stride h", Of::kDma},
    {"src_wstride", "source stride w", Of::kDma},
    {"dst_nstride", "target stride n", Of::kDma},
    {"dst_cstride", "target stride c", Of::kDma},
    {"dst_hstride", "target stride h", Of::kDma},
    {"dst_wstride", "target stride w", Of::kDma},
    {"cmd_type", "command type", Of::kDma},
    {"constant_value", "constant", Of::kDma},
    {"Kernel Function", "function"},
    {"Batch", "batch"},
    {"Mode", "mode"},
};

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + '"';
}

class TableWriter {
  struct Lane {
    EngineLane lane;
    LaneCommands commands;
    std::int64_t next = 0;  // so many are written
  };

 public:
  TableWriter(const Capture& capture, const WriteOptions& options, const WriteText& write)
      : capture_(capture), selection_(capture, options.part), write_(write) {
    for (const EngineLane& lane : engine_lanes(capture)) lanes_.emplace(lane.track, Lane{lane, {capture, lane}});
  }

  void write() {
    std::string head =
        "Device,Engine Id,Core Id,Global Idx,Cmd Id,Function Type,Function Name,Asic Cycle,Start Cycle,End Cycle";
    for (const Column& column : kColumns) head += fmt::format(",{}", column.name);
    write_(head + "\n");
    selection_.for_each_event([&](std::uint32_t track, std::uint32_t i, const Event& event) {
      const auto lane = lanes_.find(track);
      if (lane != lanes_.end()) write_(line_of(lane->second, i, event));
    });
  }

 private:
  std::string text_of(const std::optional<ArgumentValue>& value) const {
    if (!value) return "";
    if (const auto* number = std::get_if<std::int64_t>(&*value)) return fmt::format("{}", *number);
    if (const auto* real = std::get_if<double>(&*value)) return fmt::format("{}", *real);
    return csv_cell(capture_.strings.get(std::get<StringId>(*value)));
  }

  // In GB/s, of a transfer from or to that memory.
  static std::string bandwidth_of(const LaneCommands& commands, std::uint32_t event, bool is_ddr) {
    const auto bandwidth = commands.value(event, "bandwidth");
    const std::string_view direction = commands.text(event, "direction");
    if (!bandwidth || direction.empty()) return "";
    const bool has_ddr = direction.find("DDR") != std::string_view::npos,
               has_l2 = direction.find("L2M") != std::string_view::npos;
    const bool is_its = is_ddr ? has_ddr : has_l2 && !has_ddr;
    return is_its ? fmt::format("{:.4f}", std::get<double>(*bandwidth) / 1e9) : "0";
  }

  std::string line_of(Lane& of, std::uint32_t i, const Event& event) {
    const EngineLane& lane = of.lane;
    const LaneCommands& commands = of.commands;
    const std::int64_t from = commands.start_cycle(i), count = commands.cycles(i);
    const auto id = commands.id(i);
    std::string line =
        fmt::format("{},{},{},{},{},{},{},{},{},{}", csv_cell(lane.device), lane.number(),
                    lane.core >= 0 ? fmt::format("{}", lane.core) : text_of(commands.value(i, "core")), of.next++,
                    id ? fmt::format("{}", *id) : "", csv_cell(capture_.strings.get(event.category)),
                    csv_cell(capture_.strings.get(event.name)), count, from, from + count - 1);
    const bool is_tiu = lane.engine == Engine::kTiu;
    for (const Column& column : kColumns) {
      line += ',';
      if (column.of == Of::kTiu ? !is_tiu : column.of == Of::kDma && is_tiu) continue;
      line += column.argument.empty() ? bandwidth_of(commands, i, column.name.starts_with("DDR"))
                                      : text_of(commands.value(i, column.argument));
    }
    return line + "\n";
  }

  const Capture& capture_;
  const ProfileSelection selection_;
  const WriteText& write_;
  std::map<std::uint32_t, Lane> lanes_;  // by track
};

}  // namespace

void write_table(const Capture& capture, const WriteOptions& options, const WriteText& write) {
  TableWriter(capture, options, write).write();
}

}  // namespace vizd::bigtpu
