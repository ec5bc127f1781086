// ProfileBuilder: makes the capture of what a profile's tables tell: devices with their streams, processes with their
// threads, work, calls, ranges, and the arrows from calls to the work that they launched. The readers of the formats
// fill it table by table. Refers to the capture. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "formats/sqlite_profiles/database.h"
#include "model/capture.h"

namespace vizd::sqlite_profiles {

struct RowTimes {
  std::int64_t start_ns = 0, end_ns = 0;
};

// key tells processes of one number apart, as of several containers; none: not known.
struct ProcessId {
  Number key, pid;
};

struct StreamId {
  ArgumentValue device{StringId{}};  // an empty text: not known
  ProcessId process;
  Number context, stream;
};

// What a call and the work that it launched know each other by; number none: nothing.
struct LaunchId {
  Number process, number;
};

struct EventPlace {
  std::uint32_t track = 0, event = 0;
};

class ProfileBuilder {
 public:
  explicit ProfileBuilder(Capture& capture) : capture_(capture) {}

  // Is subtracted from all times that follow; where the clock began, in Unix time, is that of the file's zero.
  void set_clock(std::int64_t offset_ns, Number unix_of_zero_ns);
  void name_process(const Number& pid, std::string name) { process_names_[pid] = std::move(name); }
  void name_thread(const Number& pid, const Number& tid, std::string name) {
    thread_names_[{pid, tid}] = std::move(name);
  }

  // The two ends of a row; an end before its start counts as the start. A row without a time is left out and counted.
  std::optional<RowTimes> times(const Number& start, const Number& end);

  StringId intern(std::string_view text) { return capture_.strings.add(text); }

  EventPlace add_work(const StreamId& stream, EventRole role, std::string_view category, StringId name,
                      const RowTimes& times, const LaunchId& launched_by);
  EventPlace add_call(const ProcessId& process, const Number& tid, std::string_view category, StringId name,
                      const RowTimes& times, const LaunchId& launches);
  EventPlace add_host_event(const ProcessId& process, const Number& tid, const Event& event);
  // On a lane of its own, which says nothing of what a thread or a device was busy with.
  EventPlace add_apart(const ProcessId& process, std::string_view lane, const Event& event);
  void add_argument(const EventPlace& place, std::string_view name, std::string_view unit, const ArgumentValue& value);

  void add_fact(std::string_view subject, std::string_view name, const ArgumentValue& value);

  // Leads each call to its work. Numbers that come after count anew.
  void join_launches();
  void finish(std::string_view format);

  static constexpr std::size_t kMostTracks = 16'384;

 private:
  struct Launch {
    std::int64_t number = 0;
    Number process;
    std::uint32_t order = 0;
    EventPlace place;
  };

  // The parent itself where there are kMostTracks already.
  std::uint32_t add_track(std::uint32_t parent, TrackKind kind, const std::string& name,
                          const std::optional<ArgumentValue>& number);
  std::uint32_t device_track(const ArgumentValue& device);
  std::uint32_t stream_track(const StreamId& id);
  std::uint32_t process_track(const ProcessId& process);
  std::uint32_t thread_track(const ProcessId& process, const Number& tid);
  std::string process_text(const ProcessId& process) const;
  EventPlace append(std::uint32_t track, const Event& event);

  Capture& capture_;
  std::int64_t offset_ns_ = 0;
  std::uint64_t turned_rows_ = 0;  // whose end is before their start
  std::map<Number, std::string> process_names_;
  std::map<std::pair<Number, Number>, std::string> thread_names_;
  std::map<ArgumentValue, std::uint32_t> devices_;
  std::map<std::pair<std::uint32_t, std::pair<Number, Number>>, std::uint32_t> device_processes_;
  std::map<std::tuple<ArgumentValue, Number, Number, Number, Number>, std::uint32_t> streams_;
  std::map<std::pair<Number, Number>, std::uint32_t> processes_;
  std::map<std::tuple<Number, Number, Number>, std::uint32_t> threads_;
  std::map<std::pair<std::uint32_t, std::string>, std::uint32_t> lanes_;
  std::vector<Launch> work_, calls_;
  std::vector<EventPlace> unfinished_;
};

}  // namespace vizd::sqlite_profiles
