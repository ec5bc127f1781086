#include "reference/bigtpu/summary_tables.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/parse_json.h"

namespace vizd::bigtpu {
namespace {

using Json = nlohmann::json;

// Calls each(record, its kind) of every line.
template <typename Each>
void each_record(const std::string& records, Each&& each) {
  for (std::size_t at = 0; at < records.size();) {
    const std::size_t end = std::min(records.find('\n', at), records.size());
    if (end > at) {
      const Json record = parse_json(std::string_view(records).substr(at, end - at));
      each(record, record["record"].get<std::string>());
    }
    at = end + 1;
  }
}

OwnCell text_cell(std::string text) { return {std::move(text)}; }

class DeviceTable {
 public:
  explicit DeviceTable(const Json& total)
      : hertz_(total["clock_hz"].get<double>()), total_cycles_(total["total_cycles"].get<double>()) {
    cores_.name = "cores";
    cores_.columns = {"core",          "total us",    "TIU",          "GDMA",        "SDMA",
                      "overlap",       "TIU cycles",  "waits us",     "GDMA cycles", "GDMA DDR GB/s",
                      "GDMA L2M GB/s", "SDMA cycles", "SDMA DDR GB/s"};
    ports_.name = "ports";
    ports_.columns = {"CDMA port", "busy", "cycles", "bytes", "GB/s"};
  }

  void add_core(const Json& core) {
    const double tiu = number(core, "tiu_busy_cycles");
    cores_.rows.push_back(
        {core["core"].get<std::int64_t>(), text_cell(fmt::format("{:.3f}", microseconds(total_cycles_))),
         share(tiu, total_cycles_), share(number(core, "gdma_busy_cycles"), total_cycles_),
         share(number(core, "sdma_busy_cycles"), total_cycles_), share(number(core, "overlap_cycles"), tiu),
         cycles(core, "tiu_busy_cycles"),
         text_cell(fmt::format("{:.3f}", microseconds(number(core, "tiu_wait_cycles")))),
         cycles(core, "gdma_busy_cycles"), rate(core, "gdma_ddr_bytes_per_s"), rate(core, "gdma_l2_bytes_per_s"),
         cycles(core, "sdma_busy_cycles"), rate(core, "sdma_ddr_bytes_per_s")});
  }

  void add_port(const Json& port) {
    ports_.rows.push_back({port["port"].get<std::int64_t>(), share(number(port, "cdma_busy_cycles"), total_cycles_),
                           cycles(port, "cdma_busy_cycles"), cycles(port, "cdma_bytes"),
                           rate(port, "cdma_bytes_per_s")});
  }

  std::vector<OwnTable> take() {
    std::vector<OwnTable> tables;
    tables.push_back(std::move(cores_));
    if (!ports_.rows.empty()) tables.push_back(std::move(ports_));
    return tables;
  }

 private:
  static double number(const Json& record, const char* field) { return record[field].get<double>(); }
  static OwnCell cycles(const Json& record, const char* field) { return record[field].get<std::int64_t>(); }
  static OwnCell share(double part, double whole) {
    return whole > 0 ? text_cell(fmt::format("{:.2f} %", 100 * part / whole)) : OwnCell();
  }
  // Nothing where nothing was moved there.
  static OwnCell rate(const Json& record, const char* field) {
    constexpr double kGiga = 1e9;
    const Json& bytes_per_s = record[field];
    if (bytes_per_s.is_null()) return {};
    return text_cell(fmt::format("{:.2f}", bytes_per_s.get<double>() / kGiga));
  }
  double microseconds(double cycles) const { return cycles / hertz_ * 1e6; }

  double hertz_, total_cycles_;
  OwnTable cores_, ports_;
};

// A heading of summary.txt, and the field of a record that fills it.
struct OriginalColumn {
  std::string_view heading, field;
};
constexpr std::array kOriginalColumns{OriginalColumn{"CoreId", "core"},
                                      OriginalColumn{"Parallelism(%)", "parallelism"},
                                      OriginalColumn{"totalTime(us)", "total_us"},
                                      OriginalColumn{"TiuWorkingRatio", "tiu_ratio"},
                                      OriginalColumn{"totalTiuCycle", "tiu_cycles"},
                                      OriginalColumn{"uArchURate", "uarch_rate"},
                                      OriginalColumn{"totalGdmaCycle", "gdma_cycles"},
                                      OriginalColumn{"GdmaDdrAvgBW(GB/s)", "gdma_ddr_gbs"},
                                      OriginalColumn{"GdmaL2AvgBW(GB/s)", "gdma_l2_gbs"},
                                      OriginalColumn{"totalSdmaCycle", "sdma_cycles"},
                                      OriginalColumn{"SdmaDdrAvgBW(GB/s)", "sdma_ddr_gbs"}};

}  // namespace

std::vector<std::vector<OwnTable>> device_tables(const std::string& records) {
  std::vector<DeviceTable> devices;
  each_record(records, [&](const Json& record, const std::string& kind) {
    if (kind == "total") devices.emplace_back(record);
    if (kind == "core") devices.back().add_core(record);
    if (kind == "port") devices.back().add_port(record);
  });
  std::vector<std::vector<OwnTable>> tables;
  for (DeviceTable& device : devices) tables.push_back(device.take());
  return tables;
}

std::vector<std::vector<OwnTable>> original_tables(const std::string& records) {
  std::vector<std::vector<OwnTable>> devices;
  bool is_new = true;
  each_record(records, [&](const Json& record, const std::string& kind) {
    if (kind != "core") return;
    if (std::exchange(is_new, false)) {
      OwnTable& table = devices.emplace_back().emplace_back();
      table.name = "cores";
      for (const OriginalColumn& column : kOriginalColumns) table.columns.emplace_back(column.heading);
    }
    std::vector<OwnCell> cells;
    for (const OriginalColumn& column : kOriginalColumns)
      cells.push_back(text_cell(record[std::string(column.field)].get<std::string>()));
    is_new = record["core"] == "Overall";  // a device's last row
    devices.back().back().rows.push_back(std::move(cells));
  });
  return devices;
}

}  // namespace vizd::bigtpu
