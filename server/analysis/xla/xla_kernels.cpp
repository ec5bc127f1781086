#include "analysis/xla/xla_kernels.h"

#include <charconv>
#include <functional>
#include <map>
#include <tuple>

namespace vizd {
namespace {

// The value of "KEY:VALUE" in text whose parts have blanks between them.
std::string detail(std::string_view text, std::string_view key) {
  constexpr std::string_view kBlanks = " \t\r\n\f\v";
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    const bool begins = at == 0 || kBlanks.find(text[at - 1]) != kBlanks.npos;
    const std::size_t value = at + key.size() + 1;
    if (!begins || value >= text.size() || text[value - 1] != ':' || kBlanks.find(text[value]) != kBlanks.npos)
      continue;
    return std::string(text.substr(value, text.find_first_of(kBlanks, value) - value));
  }
  return "";
}

struct Group {
  XlaKernel row;
  std::vector<std::int64_t> durs_ns;
  std::int64_t bytes = 0;
  bool are_bytes_known = true;
};

class KernelTable {
 public:
  explicit KernelTable(const Capture& capture) : capture_(capture) {}

  void add(std::uint32_t h, const XlaHost& host, std::vector<XlaKernel>& rows) {
    const XlaTimes times = find_xla_times(host, capture_.strings);
    std::map<std::tuple<std::uint32_t, XlaClass, StringId>, Group> groups;
    for (const XlaStream& stream : host.streams) {
      for (std::size_t i = stream.first; i < stream.first + stream.count; ++i) {
        const XlaWork& work = host.work[i];
        const XlaWorkKind& kind = host.kinds[work.kind];
        Group& group = groups[{stream.device, kind.work, kind.name}];
        if (group.durs_ns.empty()) {
          group.row = {.host = h, .device = stream.device, .work = kind.work, .name = kind.name};
          group.row.is_communication = times.traits[work.kind].is_communication;
          tell_details(capture_.strings.get(work.details), group.row);
        }
        group.durs_ns.push_back(timed_ns(work));
        group.row.total_ps += work.drawn.dur_ps();
        group.row.self_ps += times.self_ps[i];
        group.are_bytes_known = group.are_bytes_known && work.bytes_copied != XlaWork::kUnknown;
        if (group.are_bytes_known) group.bytes += work.bytes_copied;
      }
    }
    for (auto& [key, group] : groups) {
      XlaKernel& row = group.row;
      row.durs = launch_statistics(group.durs_ns);
      if (group.are_bytes_known) row.bytes_copied = group.bytes;
      const std::int64_t all_ps = times.device_self_ps[row.device];
      if (all_ps > 0) row.time_percent = 100 * static_cast<double>(row.self_ps) / static_cast<double>(all_ps);
      rows.push_back(std::move(row));
    }
  }

 private:
  static void tell_details(std::string_view details, XlaKernel& row) {
    const std::string registers = detail(details, "regs");
    std::int64_t count = 0;
    const auto [end, failed] = std::from_chars(registers.data(), registers.data() + registers.size(), count);
    if (failed == std::errc() && end == registers.data() + registers.size() && count >= 0) row.registers = count;
    row.grid = detail(details, "grid");
    row.block = detail(details, "block");
  }

  const Capture& capture_;
};

}  // namespace

std::vector<XlaKernel> xla_kernels(const Capture& capture) {
  std::vector<XlaKernel> rows;
  const std::vector<XlaHost>& hosts = capture.profile.xla->hosts;
  KernelTable table(capture);
  for (std::uint32_t h = 0; h < hosts.size(); ++h) table.add(h, hosts[h], rows);
  std::ranges::stable_sort(rows, std::greater(), &XlaKernel::self_ps);
  return rows;
}

}  // namespace vizd
