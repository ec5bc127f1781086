// Writes down what bigTpuProfile says of a profile: its events, and the figures of its summary.txt as that words them.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/json_writer.h"
#include "formats/bigtpu/names.h"
#include "reference/bigtpu/original.h"

namespace vizd::bigtpu {
namespace {

Error refused_with(std::string message) { return {ErrorKind::kBadInput, std::move(message), ""}; }

// The number that has at most so many decimals and lies nearest.
double rounded(double value, int decimals) {
  return std::strtod(fmt::format("{:.{}f}", value, decimals).c_str(), nullptr);
}

// An event as the original tells of it.
struct OriginalEvent {
  int type = kUnknownType, special = 0;
  unsigned extra = 0;
  CommandName name;
  std::string direction;
  std::string_view data_type;
  std::int64_t bytes = 0, cycles = 0, stall_cycles = 0, transactions = 0;
  double ddr_gb_per_s = 0, l2_gb_per_s = 0;
};

class EventReader {
 public:
  explicit EventReader(const OriginalProfile& profile) : is_030_(profile.reader == Reader::kOriginal030) {}

  Result<OriginalEvent> read(const PmuRecord& record, Engine engine) const {
    OriginalEvent event;
    event.cycles = is_030_ ? record.end - record.start + 1 : record.cycles;
    take_command(record, engine, event);
    if (engine == Engine::kTiu) {
      event.name = tiu_command_name(event.type, event.special);
      return event;
    }
    VIZD_TRY(take_memories(engine, event));
    VIZD_TRY(take_name(engine, event));
    take_counters(record, engine, event);
    return event;
  }

 private:
  static void take_command(const PmuRecord& record, Engine engine, OriginalEvent& event) {
    if (record.command != nullptr) {
      event.type = record.command->type;
      event.special = record.command->special;
      event.extra = record.command->extra;
    } else if (record.role != SystemRole::kNone) {
      const int send = engine == Engine::kTiu ? 8 : 3;
      event.type = system_type(engine);
      event.special = send + (record.role == SystemRole::kWait ? 1 : 0);
    }
  }

  static Result<void> take_memories(Engine engine, OriginalEvent& event) {
    const bool is_system = event.type == kDmaSystem || (engine == Engine::kCdma && event.type == kCdmaSystem);
    const unsigned extra = is_system ? 0 : event.extra;
    event.data_type = data_type_name(extra & 0xF);
    if (event.data_type.empty()) return refused_with(fmt::format("{} is not a valid DATATYPE", extra & 0xF));
    const std::string_view from = memory_name(extra >> 4 & 3), to = memory_name(extra >> 6 & 3);
    if (from.empty() || to.empty()) return refused_with("Unknow dma mem_type: 3");
    event.direction = engine == Engine::kCdma ? "DDR->DDR" : fmt::format("{}->{}", from, to);
    return {};
  }

  Result<void> take_name(Engine engine, OriginalEvent& event) const {
    if (engine == Engine::kCdma) {
      event.name = cdma_command_name(event.type, event.special, is_030_);
      return {};
    }
    if (!is_dma_type(event.type)) return refused_with(fmt::format("({}, 0)", event.type));
    event.name = dma_command_name(event.type, event.special, event.direction, is_030_);
    return {};
  }

  void take_counters(const PmuRecord& record, Engine engine, OriginalEvent& event) const {
    const std::int64_t over = is_030_ ? event.cycles : std::max<std::int64_t>(record.end - record.start, 1);
    event.bytes = moved_bytes(engine, record.words);
    event.ddr_gb_per_s = rounded(static_cast<double>(event.bytes) / static_cast<double>(over), 4);
    const auto sum = [&](auto... words) { return (std::int64_t{0} + ... + record.word(words)); };
    if (engine == Engine::kCdma) {
      event.transactions =
          sum(cdma_word::kAriValid, cdma_word::kAtiValid, cdma_word::kReadValid, cdma_word::kWriteValid);
      return;
    }
    event.stall_cycles = record.word(dma_word::kStall);
    event.transactions = sum(dma_word::kWriteValid, dma_word::kReadValid);
  }

  const bool is_030_;
};

// ---- summary.txt ----

struct MovedBytes {
  std::int64_t bytes = 0, cycles = 0;
  void add(const OriginalEvent& event) {
    bytes += event.bytes;
    cycles += event.cycles;
  }
  MovedBytes& operator+=(const MovedBytes& other) {
    bytes += other.bytes;
    cycles += other.cycles;
    return *this;
  }
};

struct CoreSums {
  std::int64_t tiu_cycles = 0, gdma_cycles = 0, sdma_cycles = 0;
  std::int64_t operations = 0;  // one a command: none is known
  MovedBytes gdma_ddr, gdma_l2, sdma_ddr;
};

std::int64_t to_ns(std::int64_t cycles, double mhz) {
  return static_cast<std::int64_t>(rounded(static_cast<double>(cycles) / mhz * 1000, 2));
}

std::string percent(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? fmt::format("{:.2f}%", static_cast<double>(part) / static_cast<double>(whole) * 100) : "0.00%";
}

std::string gb_per_s(const MovedBytes& moved, double mhz) {
  const std::int64_t ns = to_ns(moved.cycles, mhz);
  return ns > 0 ? fmt::format("{:.2f}", static_cast<double>(moved.bytes) / static_cast<double>(ns)) : "0.00";
}

class Summary {
 public:
  explicit Summary(const OriginalProfile& profile)
      : profile_(profile), is_030_(profile.reader == Reader::kOriginal030), cores_(profile.core_count) {}

  void add(const PmuRecord& record, Engine engine, std::size_t core, const OriginalEvent& event) {
    first_ = std::min(first_, record.start);
    last_ = std::max(last_, record.end);
    if (engine == Engine::kCdma) return;
    CoreSums& sums = cores_[core];
    const bool is_message = event.type == system_type(engine);
    const int wait = engine == Engine::kTiu ? 9 : 4;
    // 0.3.0 leaves out waits; 0.3.7 every message, but of SDMA.
    const bool is_left_out =
        is_message && (is_030_ || engine == Engine::kSdma ? event.special == wait : record.tags.mode != Mode::kRvt);
    if (engine == Engine::kTiu) ++sums.operations;
    if (is_left_out) return;
    const bool is_ddr = event.direction.find("DDR") != std::string::npos;
    if (engine == Engine::kTiu) {
      sums.tiu_cycles += event.cycles;
    } else if (engine == Engine::kGdma) {
      sums.gdma_cycles += event.cycles;
      if (event.bytes == 0) return;
      if (is_ddr) {
        sums.gdma_ddr.add(event);
      } else if (event.direction.find("L2") != std::string::npos) {
        sums.gdma_l2.add(event);
      }
    } else {
      sums.sdma_cycles += event.cycles;
      if (is_ddr) sums.sdma_ddr.add(event);
    }
  }

  void write(const WriteText& write) const {
    if (first_ > last_) return;
    const std::int64_t total_ns = is_030_ ? to_ns(last_ - first_, profile_.tiu_mhz) : last_ - first_;
    CoreSums most;
    std::int64_t tiu_ns = 0, dma_ns = 0;
    const bool counts_sdma = cores_.size() > 1;
    for (std::size_t core = 0; core < cores_.size(); ++core) {
      const CoreSums& sums = cores_[core];
      const std::int64_t core_tiu_ns = to_ns(sums.tiu_cycles, profile_.tiu_mhz);
      const std::int64_t core_dma_ns =
          to_ns(sums.gdma_cycles, profile_.dma_mhz) + (counts_sdma ? to_ns(sums.sdma_cycles, profile_.dma_mhz) : 0);
      write_row(
          fmt::format("{}", core), {core_tiu_ns, core_dma_ns, total_ns, total_ns}, sums,
          [](std::int64_t cycles, double) { return fmt::format("{}", cycles); }, write);
      tiu_ns += core_tiu_ns;
      dma_ns += core_dma_ns;
      most.tiu_cycles = std::max(most.tiu_cycles, sums.tiu_cycles);
      most.gdma_cycles = std::max(most.gdma_cycles, sums.gdma_cycles);
      most.sdma_cycles = std::max(most.sdma_cycles, sums.sdma_cycles);
      most.operations += sums.operations;
      most.gdma_ddr += sums.gdma_ddr;
      most.gdma_l2 += sums.gdma_l2;
      most.sdma_ddr += sums.sdma_ddr;
    }
    const std::int64_t available_ns = total_ns * static_cast<std::int64_t>(cores_.size());
    write_row(
        "Overall", {tiu_ns, dma_ns, available_ns, total_ns}, most,
        [](std::int64_t cycles, double mhz) { return fmt::format("{:.3f}(us)", static_cast<double>(cycles) / mhz); },
        write);
  }

 private:
  struct RowTimes {
    std::int64_t tiu_ns, dma_ns, available_ns, total_ns;
  };

  template <typename Cycles>
  void write_row(const std::string& core, const RowTimes& times, const CoreSums& sums, Cycles&& cycles,
                 const WriteText& write) const {
    std::string line;
    JsonWriter json(line);
    json.begin_object().key("record").text("core");
    const auto field = [&](std::string_view name, const std::string& text) { json.key(name).text(text); };
    field("core", core);
    field("parallelism", percent(times.tiu_ns + times.dma_ns, times.available_ns));
    field("total_us", fmt::format("{:.3f}", static_cast<double>(times.total_ns) / 1000));
    field("tiu_ratio", percent(times.tiu_ns, times.available_ns));
    field("tiu_cycles", cycles(sums.tiu_cycles, profile_.tiu_mhz));
    field("uarch_rate", percent(sums.operations, sums.operations));
    field("gdma_cycles", cycles(sums.gdma_cycles, profile_.dma_mhz));
    field("gdma_ddr_gbs", gb_per_s(sums.gdma_ddr, profile_.dma_mhz));
    field("gdma_l2_gbs", gb_per_s(sums.gdma_l2, profile_.dma_mhz));
    field("sdma_cycles", cycles(sums.sdma_cycles, profile_.dma_mhz));
    field("sdma_ddr_gbs", gb_per_s(sums.sdma_ddr, profile_.dma_mhz));
    json.end_object();
    line += '\n';
    write(line);
  }

  const OriginalProfile& profile_;
  const bool is_030_;
  std::vector<CoreSums> cores_;
  std::int64_t first_ = std::numeric_limits<std::int64_t>::max(), last_ = 0;
};

// ---- Events ----

struct EventPlace {
  Engine engine;
  std::int64_t core = -1, port = -1;
  std::size_t index = 0;
};

std::string event_line(const OriginalProfile& profile, const EventPlace& place, const PmuRecord& record,
                       const OriginalEvent& event) {
  std::string line;
  JsonWriter json(line);
  const auto number_or_null = [&](std::string_view name, std::int64_t number) {
    json.key(name);
    number < 0 ? json.null() : json.number(number);
  };
  json.begin_object().key("record").text("event");
  number_or_null("core", record.core >= 0 ? record.core : place.core);
  json.key("engine").text(engine_name(place.engine));
  number_or_null("port", place.port);
  json.key("index").number(place.index);
  json.key("cmd_id").number(record.id + (place.engine == Engine::kCdma ? 0 : 1));
  json.key("start").number(record.start).key("end").number(record.end).key("cycles").number(event.cycles);
  json.key("type").text(event.name.type).key("name").text(event.name.name);
  const bool has_tags = profile.reader == Reader::kOriginal037;
  json.key("mode");
  has_tags&& record.tags.mode != Mode::kNone ? json.text(mode_name(record.tags.mode)) : json.null();
  json.key("function");
  has_tags&& record.tags.function >= 0 ? json.text(profile.functions[static_cast<std::size_t>(record.tags.function)])
                                       : json.null();
  number_or_null("function_scope", has_tags ? record.tags.scope : -1);
  number_or_null("batch", has_tags ? record.tags.batch : -1);
  if (place.engine == Engine::kTiu) {
    json.key("type_code").number(event.type).key("special_code").number(event.special).key("dtype_code");
    event.name.type == "sys" ? json.null() : json.number(event.extra & 0x7F);
  } else {
    json.key("direction").text(event.direction).key("dtype").text(event.data_type).key("bytes").number(event.bytes);
    json.key("ddr_gbs").real(event.ddr_gb_per_s).key("l2_gbs").real(event.l2_gb_per_s);
    json.key("stall_cycles").number(event.stall_cycles).key("transactions").number(event.transactions);
  }
  json.end_object();
  line += '\n';
  return line;
}

}  // namespace

Result<void> write_original(const OriginalProfile& profile, const WriteText& write) {
  const EventReader reader(profile);
  Summary summary(profile);
  std::string events;  // told only once it is known that the original gets to their end
  const auto write_list = [&](EventPlace place, const std::vector<PmuRecord>& records) -> Result<void> {
    for (place.index = 0; place.index < records.size(); ++place.index) {
      const PmuRecord& record = records[place.index];
      const auto event = reader.read(record, place.engine);
      if (!event) return event.error();
      summary.add(record, place.engine, static_cast<std::size_t>(place.core), *event);
      events += event_line(profile, place, record, *event);
    }
    return {};
  };
  for (const auto& [engine, lists] : {std::pair(Engine::kTiu, &profile.tiu), std::pair(Engine::kGdma, &profile.gdma),
                                      std::pair(Engine::kSdma, &profile.sdma)}) {
    for (std::size_t core = 0; core < lists->size(); ++core)
      VIZD_TRY(write_list({engine, static_cast<std::int64_t>(core)}, (*lists)[core]));
  }
  for (std::size_t port = 0; port < profile.ports.size(); ++port)
    VIZD_TRY(
        write_list({Engine::kCdma, profile.port_core[port], static_cast<std::int64_t>(port)}, profile.ports[port]));
  write(events);
  summary.write(write);
  return {};
}

}  // namespace vizd::bigtpu
