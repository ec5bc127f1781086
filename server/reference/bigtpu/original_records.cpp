#include "reference/bigtpu/original_records.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace vizd::bigtpu {
namespace {

constexpr std::int64_t kClockEnd = std::int64_t{1} << 32;

// 0.3.0 takes any start before the end of the record before for a wrap of the clock, and a wrap for one tick less.
void continue_clock_030(Records& records) {
  constexpr std::int64_t kWrap = kClockEnd - 1;
  std::int64_t last = 0, wrapped = 0;
  for (PmuRecord& record : records) {
    if (record.start + wrapped < last) wrapped += kWrap;
    record.start += wrapped;
    record.end += wrapped;
    if (record.end < record.start) record.end += kWrap;
    last = record.end;
  }
}

void continue_clock_037(Records& records) {
  std::int64_t last = 0, wrapped = 0;
  for (PmuRecord& record : records) {
    if (record.start + wrapped < last && last > kClockEnd / 2) wrapped += kClockEnd;
    record.start += wrapped;
    record.end += wrapped;
    if (record.end < record.start) record.end += kClockEnd;
    last = record.end;
  }
}

void continue_port_clock(Records& records, std::int64_t wrap) {
  std::int64_t last_start = 0, last_end = 0, wrapped = 0;
  for (PmuRecord& record : records) {
    if (record.start + wrapped < last_start && record.end + wrapped < last_end) wrapped += wrap;
    record.start += wrapped;
    record.end += wrapped;
    if (record.end < record.start) record.end += wrap;
    last_start = record.start;
    last_end = record.end;
  }
}

// Sends that were written down before what they overtook.
void order_sends(Records& records) {
  for (std::size_t i = 1; i + 1 < records.size(); ++i) {
    const std::int64_t gap = records[i].start - records[i - 1].end;
    const PmuRecord& next = records[i + 1];
    const std::int64_t next_gap = next.start - records[i - 1].end;
    const bool is_overtaken = next_gap < gap && gap > 0 && next_gap > 0;
    const bool is_wrapped = gap < 0 && next_gap > 0 && next.start > next.end;
    if (is_overtaken || is_wrapped) std::swap(records[i], records[i + 1]);
  }
}

std::size_t steps_back(const Records& records) {
  std::size_t count = 0;
  std::int64_t last_end = records[0].end;
  for (std::size_t i = 1; i < records.size(); ++i) {
    count += records[i].start < last_end ? 1 : 0;
    last_end = std::max(last_end, records[i].end);
  }
  return count;
}

// 0.3.7 takes records with one step back for a ring that was written over, and has them begin at the earliest.
void unroll_ring(Records& records) {
  if (records.size() < 2 || steps_back(records) == 0) return;
  const auto earliest = std::ranges::min_element(records, {}, &PmuRecord::start);
  if (earliest == records.begin()) return;
  Records unrolled(earliest, records.end());
  unrolled.insert(unrolled.end(), records.begin(), earliest);
  if (steps_back(unrolled) == 0) records = std::move(unrolled);
}

void convert_to_ns(Records& records, double mhz) {
  const auto ns = [&](std::int64_t cycles) {
    return static_cast<std::int64_t>(std::nearbyint(static_cast<double>(cycles) / mhz * 1000));
  };
  for (PmuRecord& record : records) {
    record.cycles = record.end - record.start + 1;
    record.start = ns(record.start);
    record.end = ns(record.end);
  }
}

bool is_system_command(const PmuRecord& record, Engine engine, Reader reader) {
  if (record.role != SystemRole::kNone) return true;
  if (record.command == nullptr) return false;
  if (reader == Reader::kOriginal037 && record.command->tags.mode == Mode::kRvt) return false;
  return record.command->type == system_type(engine);
}

}  // namespace

void mend_as_original(Records& records, Engine engine, Reader reader, double mhz) {
  const bool is_030 = reader == Reader::kOriginal030;
  if (!is_030 && engine != Engine::kCdma) unroll_ring(records);
  continue_ids(records, is_030);
  if (engine == Engine::kSdma || (engine == Engine::kCdma && is_030)) order_sends(records);
  if (engine == Engine::kCdma) {
    continue_port_clock(records, is_030 ? kClockEnd - 1 : kClockEnd);
  } else if (is_030) {
    continue_clock_030(records);
  } else {
    continue_clock_037(records);
  }
  if (engine == Engine::kSdma || (engine == Engine::kCdma && is_030)) order_by_ids(records);
  if (!is_030) convert_to_ns(records, mhz);
}

void drop_system_ends(Records& records, Engine engine, Reader reader, bool keeps_short) {
  const auto is_system = [&](std::size_t i) { return is_system_command(records[i], engine, reader); };
  while (records.size() >= 3) {
    const std::size_t n = records.size();
    if (records[n - 1].id - records[n - 2].id == 1 && records[n - 2].id <= records[n - 3].id && is_system(n - 2)) {
      records.resize(n - 2);
    } else if (records[1].id - records[0].id == 1 && records[2].id <= records[1].id && is_system(0)) {
      records.erase(records.begin(), records.begin() + 2);
    } else {
      break;
    }
  }
  if (keeps_short || records.size() > 2) return;
  std::erase_if(records, [&](const PmuRecord& record) { return is_system_command(record, engine, reader); });
}

// Drops records at the ends that no command can be of (0.3.7): those before the first id that is among the commands',
// and at the end those whose id comes more often than among these.
void drop_ids_without_command(Records& records, std::span<const Command> commands) {
  std::unordered_map<std::int64_t, std::int64_t> given, excess;
  std::vector<std::int64_t> list_ends;
  for (const Command& command : commands) {
    if (command.is_list) {
      list_ends.push_back(command.count);  // ids from 0 on
    } else {
      ++given[command.id];
    }
  }
  std::ranges::sort(list_ends);
  const auto count = [&](std::int64_t id) {
    const auto found = given.find(id);
    const auto in_lists = id < 0 ? 0 : list_ends.end() - std::ranges::upper_bound(list_ends, id);
    return (found == given.end() ? 0 : found->second) + in_lists;
  };
  for (const PmuRecord& record : records) ++excess[record.id];
  for (auto& [id, surplus] : excess) surplus -= count(id);
  const auto first = std::ranges::find_if(records, [&](const PmuRecord& record) { return count(record.id) != 0; });
  records.erase(records.begin(), first);
  while (!records.empty() && excess[records.back().id] > 0) {
    --excess[records.back().id];
    records.pop_back();
  }
}

void drop_unpaired_ends(Records& records) {
  const auto is_paired = [](const PmuRecord& record) { return record.command != nullptr; };
  records.erase(records.begin(), std::ranges::find_if(records, is_paired));
  while (!records.empty() && !is_paired(records.back())) records.pop_back();
}

void mend_port(Records& records) {
  constexpr std::int64_t kFarBack = 10;
  const auto launch = std::ranges::find(records, 1, &PmuRecord::id);
  if (launch == records.end()) return;
  const auto before = static_cast<std::size_t>(launch - records.begin());
  Records mended(launch - static_cast<std::ptrdiff_t>(std::min(before, kInitRecords)), launch);
  for (auto begin = launch; begin != records.end();) {
    auto end = begin + 1;
    while (end != records.end() && (end - 1)->id - end->id <= kFarBack) ++end;
    std::map<std::int64_t, PmuRecord> longest;
    for (auto at = begin; at != end; ++at) {
      const auto [place, is_new] = longest.try_emplace(at->id, *at);
      if (!is_new && at->end - at->start > place->second.end - place->second.start) place->second = *at;
    }
    for (const auto& [id, record] : longest) mended.push_back(record);
    begin = end;
  }
  records = std::move(mended);
}

}  // namespace vizd::bigtpu
