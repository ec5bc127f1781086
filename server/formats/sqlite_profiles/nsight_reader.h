// NsightReader: takes what `nsys export --type sqlite` writes, the tables of NVIDIA's Nsight Systems, whose columns
// differ by version. A table or column that is not there is treated as empty. Refers to the database and the capture.
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/sqlite_profiles/profile_builder.h"
#include "formats/sqlite_profiles/texts.h"

namespace vizd::sqlite_profiles {

// A global id holds hardware, virtual machine, process and thread, of 8, 8, 24 and 24 bits.
inline constexpr std::uint64_t kTwentyFourBits = 0xFFFFFF;

inline ProcessId process_of(const Number& global_id) {
  if (!global_id) return {};
  const auto key = static_cast<std::int64_t>(static_cast<std::uint64_t>(*global_id) >> 24);
  return {key, key & static_cast<std::int64_t>(kTwentyFourBits)};
}
inline Number thread_of(const Number& global_id) {
  return global_id ? Number(*global_id & static_cast<std::int64_t>(kTwentyFourBits)) : std::nullopt;
}

// The labels of an enumeration: those in the file, before those that are built in.
class Labels {
 public:
  Labels(ProfileDatabase& database, std::string_view table, std::span<const std::string_view> known)
      : labels_(database, table, "id", "label"), names_(database, table, "id", "name"), known_(known) {}

  std::string of(std::int64_t number) const {
    for (const NumberedTexts* const texts : {&labels_, &names_}) {
      if (const std::string* const found = texts->find(number); found != nullptr && !found->empty()) return *found;
    }
    const bool is_known = number >= 0 && static_cast<std::uint64_t>(number) < known_.size();
    return is_known ? std::string(known_[static_cast<std::size_t>(number)]) : std::to_string(number);
  }

 private:
  NumberedTexts labels_, names_;
  std::span<const std::string_view> known_;
};

class NsightReader {
 public:
  NsightReader(ProfileDatabase& database, Capture& capture)
      : database_(database), capture_(capture), builder_(capture), strings_(database, "stringids", "id", "value") {}

  void read();

 private:
  // The first columns of each table of device activity.
  struct Activity {
    StreamId stream;
    LaunchId launched_by;
    RowTimes times;
  };
  struct HostTable {
    std::string_view table, category, name;  // name: the column of it
  };

  void read_clock();
  void read_machine();
  void read_names();
  std::optional<Activity> activity(const Row& row);
  Number device_of(const ProcessId& process, const Number& device) const;
  void read_kernels();
  void add_launch_size(const EventPlace& place, std::string_view name, const Row& row, int column);
  void read_copies();
  void read_graph_replays();

  void read_calls();
  void read_ranges();
  void add_range(const Row& row, const std::string& text, const Number& domain);
  void name_domains();
  void read_host_tables();
  void read_host_table(const HostTable& table);
  void read_waits();
  void read_diagnostics();

  void add_text_fact(std::string_view name, std::string_view value) {
    builder_.add_fact("", name, builder_.intern(value));
  }
  // The text that a column numbers.
  std::string string_at(const Row& row, int column) const {
    if (const Number number = row.whole(column)) return strings_.text(*number);
    return "[string " + row.text(column).value_or("") + "]";
  }

  // An event of a domain other than the default one, which a row that may come later names.
  struct InDomain {
    EventPlace place;
    Number process;
    std::int64_t domain = 0;
  };

  ProfileDatabase& database_;
  Capture& capture_;
  ProfileBuilder builder_;
  NumberedTexts strings_;
  std::map<std::pair<Number, Number>, std::int64_t> gpu_of_;        // by process and its own number of the device
  std::map<std::pair<Number, std::int64_t>, std::string> domains_;  // by process and number
  std::vector<InDomain> in_domains_;
};

}  // namespace vizd::sqlite_profiles
