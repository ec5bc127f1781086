#include "formats/bigtpu/summary.h"

#include <algorithm>

#include "base/ascii_case.h"
#include "base/json_writer.h"
#include "formats/bigtpu/stretches.h"
#include "formats/bigtpu/whole_command.h"

namespace vizd::bigtpu {
namespace {

struct EngineSums {
  std::int64_t records = 0, working_records = 0, busy_cycles = 0, sum_cycles = 0, wait_cycles = 0, bytes = 0;
  std::int64_t stall_cycles = 0, ddr_bytes = 0, ddr_cycles = 0, l2_bytes = 0, l2_cycles = 0;
  // Between its commands: waiting for a message, for a command of another engine that its next one names, or nobody
  // knows why.
  std::int64_t gap_cycles = 0, gap_message_cycles = 0, gap_command_cycles = 0;
  std::vector<std::int64_t> starts;
  Stretches busy;
};

bool is_wait(Engine engine, const PmuRecord& record) {
  if (record.role == SystemRole::kWait) return true;
  return record.command != nullptr && record.command->special % 2 == (engine == Engine::kTiu ? 1 : 0);
}

// What the engine waited for. busy is there.
void add_gaps(Engine engine, const std::vector<PmuRecord>& records, EngineSums& sums) {
  Stretches messages, gaps, of_commands;
  std::vector<std::int64_t> waiting;  // starts of commands that name one of another engine
  for (const PmuRecord& record : records) {
    if (is_system(engine, record.words)) {
      if (is_wait(engine, record)) messages.push_back({record.start, record.end + 1});
    } else if (record.command != nullptr) {
      const auto whole = read_whole_command(engine, record.command->detail);
      if (whole && whole->waits_for != 0) waiting.push_back(record.start);
    }
  }
  messages = union_of(std::move(messages));
  std::ranges::sort(waiting);
  for (std::size_t i = 1; i < sums.busy.size(); ++i) {
    gaps.push_back({sums.busy[i - 1].to, sums.busy[i].from});
    if (std::ranges::binary_search(waiting, sums.busy[i].from)) of_commands.push_back(gaps.back());
  }
  sums.gap_cycles = length(gaps);
  sums.gap_message_cycles = overlap(gaps, messages);
  sums.gap_command_cycles = length(of_commands) - overlap(of_commands, messages);
}

EngineSums sums_of(Engine engine, const std::vector<PmuRecord>& records) {
  EngineSums sums;
  sums.records = std::ssize(records);
  for (const PmuRecord& record : records) {
    sums.starts.push_back(record.start);
    if (is_system(engine, record.words)) {
      if (is_wait(engine, record)) sums.wait_cycles += record.cycles;
      continue;
    }
    ++sums.working_records;
    sums.sum_cycles += record.cycles;
    const std::int64_t bytes = moved_bytes(engine, record.words);
    sums.bytes += bytes;
    sums.busy.push_back({record.start, record.end + 1});
    if (engine == Engine::kTiu) continue;
    if (engine != Engine::kCdma) sums.stall_cycles += record.word(dma_word::kStall);
    if (record.command == nullptr) continue;
    constexpr unsigned kDdr = 0, kL2 = 1;
    const unsigned from = record.command->extra >> 4 & 3, to = record.command->extra >> 6 & 3;
    if (from == kDdr || to == kDdr) {
      sums.ddr_bytes += bytes;
      sums.ddr_cycles += record.cycles;
    } else if (from == kL2 || to == kL2) {
      sums.l2_bytes += bytes;
      sums.l2_cycles += record.cycles;
    }
  }
  sums.busy = union_of(std::move(sums.busy));
  sums.busy_cycles = length(sums.busy);
  add_gaps(engine, records, sums);
  return sums;
}

class SummaryWriter {
 public:
  SummaryWriter(Device& device, double mhz, const std::string& name)
      : device_(device), hertz_(mhz * 1e6), name_(name) {}

  void write(const WriteText& write) {
    std::string cores;
    for (std::size_t core = 0; core < device_.core_count(); ++core) add_core(core, cores);
    std::string ports;
    for (const PortRun& port : device_.read_ports()) add_port(port, ports);
    std::string total;
    JsonWriter json(total);
    json.begin_object().key("record").text("total").key("device").text(name_).key("chip").text(device_.chip().name);
    json.key("clock_hz").real(hertz_).key("total_cycles").number(last_).key("total_us").real(microseconds(last_));
    json.key("cores").number(device_.core_count()).end_object();
    write(total + "\n");
    write(cores);
    write(ports);
  }

 private:
  double microseconds(std::int64_t cycles) const { return static_cast<double>(cycles) / hertz_ * 1e6; }

  void rate(JsonWriter& json, const std::string& name, std::int64_t bytes, std::int64_t cycles) const {
    json.key(name);
    cycles > 0 ? json.real(static_cast<double>(bytes) / static_cast<double>(cycles) * hertz_) : json.null();
  }

  void engine_fields(JsonWriter& json, const std::string& name, const EngineSums& sums) const {
    const auto number = [&](std::string_view field, std::int64_t value) {
      json.key(name + "_" + std::string(field)).number(value);
    };
    number("records", sums.records);
    number("working_records", sums.working_records);
    number("busy_cycles", sums.busy_cycles);
    number("sum_cycles", sums.sum_cycles);
    number("wait_cycles", sums.wait_cycles);
    number("gap_cycles", sums.gap_cycles);
    number("gap_message_cycles", sums.gap_message_cycles);
    number("gap_command_cycles", sums.gap_command_cycles);
    number("gap_other_cycles", sums.gap_cycles - sums.gap_message_cycles - sums.gap_command_cycles);
    constexpr std::size_t kMostStarts = 50;
    const auto shown = std::span(sums.starts).first(std::min(sums.starts.size(), kMostStarts));
    json.column(name + "_starts", shown, [](JsonWriter& to, std::int64_t start) { to.number(start); });
    if (name == "tiu") return;
    number("bytes", sums.bytes);
    rate(json, name + "_bytes_per_s", sums.bytes, sums.busy_cycles);
    number("stall_cycles", sums.stall_cycles);
    number("ddr_bytes", sums.ddr_bytes);
    rate(json, name + "_ddr_bytes_per_s", sums.ddr_bytes, sums.ddr_cycles);
    number("l2_bytes", sums.l2_bytes);
    rate(json, name + "_l2_bytes_per_s", sums.l2_bytes, sums.l2_cycles);
  }

  void add_core(std::size_t core, std::string& line) {
    const CoreRun run = device_.read_core(core);
    JsonWriter json(line);
    json.begin_object().key("record").text("core").key("core").number(core);
    if (device_.core_number(core) != static_cast<std::int64_t>(core))
      json.key("number").number(device_.core_number(core));
    Stretches moving, active, computing;
    std::int64_t first = INT64_MAX, last = INT64_MIN;
    for (const Engine engine : kEnginesOfCore) {
      const EngineSums sums = sums_of(engine, run[engine]);
      engine_fields(json, ascii_lower(engine_name(engine)), sums);
      active.insert(active.end(), sums.busy.begin(), sums.busy.end());
      (engine == Engine::kTiu ? computing : moving)
          .insert((engine == Engine::kTiu ? computing : moving).end(), sums.busy.begin(), sums.busy.end());
      for (const PmuRecord& record : run[engine]) {
        first = std::min(first, record.start);
        last = std::max(last, record.end);
        last_ = std::max(last_, record.end);
      }
    }
    json.key("overlap_cycles").number(overlap(computing, union_of(std::move(moving))));
    const std::int64_t active_cycles = length(union_of(std::move(active)));
    json.key("active_cycles").number(active_cycles);
    json.key("idle_cycles").number(first <= last ? last + 1 - first - active_cycles : 0);
    json.end_object();
    line += '\n';
  }

  void add_port(const PortRun& port, std::string& line) const {
    JsonWriter json(line);
    json.begin_object().key("record").text("port").key("port").number(port.number);
    engine_fields(json, "cdma", sums_of(Engine::kCdma, port.records));
    json.key("is_aligned").boolean(port.is_aligned).end_object();
    line += '\n';
  }

  Device& device_;
  const double hertz_;
  const std::string& name_;
  std::int64_t last_ = 0;
};

}  // namespace

void write_summary(Device& device, double mhz, const std::string& name, const WriteText& write) {
  SummaryWriter(device, mhz, name).write(write);
}

}  // namespace vizd::bigtpu
