// CaptureWriter: records what a compiler does to its graphs, and what devices then do, into a file that vizd opens,
// also while it is being written. Header-only: C++17, zstd, threads. See README.md beside this for a tour.
//
//   vizd::capture::CaptureWriter writer("run.bin");
//   const auto add = writer.kind("ADD", "#ffc0c0");
//   const auto sum = writer.op({add, "int"}, {a, b});
//   writer.match(pass, before, after, writer.location(__FILE__, __LINE__));
//   writer.event(track, "kernel", start_ns, dur_ns, {{bytes, 4096}});
//
// Every function may be called by any thread. Recording appends to a buffer of the thread's own; a thread of the
// writer's collects the buffers several times a second, packs them and appends whole chunks, so that a crash loses what
// was recorded since. What one thread records keeps its order. Ids are handed on between threads freely. Nothing throws
// but std::bad_alloc; where the file cannot be written, error() says why and recording goes on without effect.
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "vizd/capture_buffers.h"
#include "vizd/capture_format.h"
#include "vizd/capture_tables.h"
#include "vizd/capture_types.h"

namespace vizd::capture {

struct WriterOptions {
  int level = 3;                            // of zstd
  std::chrono::milliseconds interval{250};  // how often recorded things reach the file
  bool append = false;                      // to the file that is there, instead of a new one
};

class CaptureWriter {
 public:
  explicit CaptureWriter(const std::string& path, WriterOptions options = {})
      : options_(options), packer_(options.level) {
    error_.reserve(kMostErrorChars);
    const std::string header = file_header(kEnds);
    file_ = std::fopen(path.c_str(), options.append ? "ab" : "wb");
    if (file_ == nullptr) {
      fail();
    } else {
      append(header);
      start();
    }
  }
  CaptureWriter(const CaptureWriter&) = delete;
  CaptureWriter& operator=(const CaptureWriter&) = delete;
  ~CaptureWriter() { close(); }

  // ---- What the compiler does.

  // A kind of op: its name, and the colour of its boxes ("#rrggbb"). The same for the same name.
  KindId kind(std::string_view name, std::string_view colour = {}, bool inlined = false) {
    const std::uint32_t named = intern(name), coloured = intern(colour);
    return KindId{tables_.kinds.add({named, coloured, inlined ? kKindInlined : 0u}, {named})};
  }
  // A place in the compiler's source: a rule or a pass. code: the line itself, or what to call the rule.
  LocationId location(std::string_view file, std::uint32_t line, std::string_view code = {}) {
    const std::uint32_t named = intern(file);
    return LocationId{tables_.locations.add({named, line, code.empty() ? 0u : intern(code) + 1}, {named, line})};
  }
  // asked_by: where in the user's program it was asked for.
  ContextId context(std::string_view name, StackId asked_by = kNoStack) {
    return ContextId{tables_.contexts.add({intern(name), number(asked_by) + 1})};
  }
  // Makes a name (of a kernel, of an event) lead to the context.
  void link(std::string_view name, ContextId to) { tables_.links.add({number(to), 0, intern(name)}); }
  // made_by: kNoContext where none did: a library's kernel. binary: the bytes that the device runs, an object file or
  // bare code, where they are known.
  void program(ContextId made_by, std::string_view name, std::string_view source, std::string_view device,
               std::string_view binary = {}) {
    const bool is_alone = made_by == kNoContext;
    tables_.programs.add({is_alone ? 0 : number(made_by), intern(name), intern(source), intern(device), 0,
                          intern(binary), is_alone ? kProgramAlone : 0});
  }
  // A pass over the graph under root. depth: of passes within passes. The matches (or graphs) of a pass are one
  // thread's.
  PassId pass(ContextId of, std::string_view name, OpId root, LocationId at, std::uint32_t depth = 0) {
    return PassId{tables_.passes.add({number(of), intern(name), number(at), number(root), depth, 0})};
  }
  // The same for a compiler that changes its graph in place: graph() then tells of the whole graph after each change.
  PassId graph_pass(ContextId of, std::string_view name, OpId root, LocationId at, std::uint32_t depth = 0) {
    return PassId{tables_.passes.add({number(of), intern(name), number(at), number(root), depth, kPassWholeGraphs})};
  }
  OpId op(const OpInfo& info, std::initializer_list<OpId> sources) { return op(info, sources.begin(), sources.size()); }
  OpId op(const OpInfo& info, const std::vector<OpId>& sources) { return op(info, sources.data(), sources.size()); }
  OpId op(const OpInfo& info, const OpId* sources, std::size_t source_count) {
    ThreadBuffer& buffer = local();
    OpRecord record;
    record.kind = number(info.kind);
    record.dtype = intern(info.dtype, buffer);
    record.argument = intern(info.argument, buffer);
    record.shape = intern(info.shape, buffer);
    record.tag = intern(info.tag, buffer);
    record.label = intern(info.label, buffer);
    record.text = intern(info.text, buffer);
    record.identity = info.identity;
    record.context = number(info.context) + 1;  // none is 0
    record.flags = info.inlined ? kOpInlined : 0;
    if (buffer.next_op == buffer.end_op) {
      buffer.next_op = next_op_.fetch_add(ThreadBuffer::kOpBlock, std::memory_order_relaxed);
      buffer.end_op = buffer.next_op + ThreadBuffer::kOpBlock;
    }
    record.number = buffer.next_op++;
    record.source_count = static_cast<std::uint32_t>(source_count);
    std::size_t size = 0;
    {
      const std::lock_guard lock(buffer.mutex);
      auto& all = buffer.active.sources;
      std::uint32_t* const first = ThreadBuffer::add(buffer.active.ops, record, all, source_count);
      for (std::size_t i = 0; i < source_count; ++i) first[i] = number(sources[i]);
      size = buffer.active.ops.size();
    }
    note_size(size);
    return OpId{record.number};
  }
  // Records that a rule replaced one op by another. seconds: how long it took, negative where not known.
  void match(PassId pass, OpId before, OpId after, LocationId rule, float seconds = -1) {
    put(&Records::matches, {number(pass), number(before), number(after), number(rule), seconds});
  }
  // The whole graph of a graph_pass() after a change.
  void graph(PassId pass, OpId root, LocationId location, float seconds = -1) {
    put(&Records::matches, {number(pass), 0, number(root), number(location), seconds});
  }

  // A number on ops, to colour graphs by: how long each took. The same for the same name and unit.
  MeasureId measure(std::string_view name, std::string_view unit = {}) {
    const decltype(Tables::measures)::Record record{intern(name), intern(unit)};
    return MeasureId{tables_.measures.add(record, record)};
  }
  // At most one a measure and op.
  void op_value(MeasureId measure, OpId op, double value) {
    put(&Records::op_values, {value, number(measure), number(op)});
  }

  // ---- What devices do. Times are nanoseconds on one clock, any; now_ns() is one.

  static std::int64_t now_ns() { return ns_of<std::chrono::steady_clock>(); }
  // Unix time when now_ns() was zero, as clock() takes it.
  static std::int64_t unix_offset_ns() { return ns_of<std::chrono::system_clock>() - now_ns(); }
  // Once: what times count from, so that captures can be laid side by side. Captures whose clocks have one name share
  // it. unix_offset_ns: Unix time when the clock was zero.
  void clock(std::string_view name, std::optional<std::int64_t> unix_offset_ns = std::nullopt) {
    tables_.facts.add({intern("clock"), intern(name), 0});
    if (unix_offset_ns) {
      tables_.facts.add({intern("unix_offset_ns"), 0, static_cast<std::uint64_t>(*unix_offset_ns)});
    }
  }
  // The same for the same name and kind under the same parent; the rest is as the first call has it.
  TrackId track(const TrackInfo& info) { return add_track(info, {}); }
  // Returns the same id for the same texts.
  LaneId lane(const LaneInfo& info) {
    TrackId parent = kNoTrack;
    std::string_view kind = info.stream.empty() ? "" : "stream";
    const std::pair<std::string_view, std::string_view> groups[] = {
        {"rank", info.rank}, {"process", info.process}, {"device", info.device}};
    for (const auto& [group_kind, group] : groups) {
      if (group.empty()) continue;
      if (group == info.name && kind.empty()) {
        kind = group_kind;
        break;
      }
      parent = track({group, group_kind, parent});
    }
    return add_track({info.name, kind, parent, 0, info.hertz}, info.stream);
  }
  LaneId lane(std::string_view name) { return lane(LaneInfo{name}); }
  // Declares an argument of events: its name, and the unit of its values ("B", "FLOP", "ns", …; vizd shows bytes and
  // operations also as rates). The same name, unit and type give the same id.
  ArgumentId argument(std::string_view name, std::string_view unit, ArgumentType type) {
    const auto type_number = static_cast<std::uint32_t>(type);
    const decltype(Tables::arguments)::Record record{intern(name), intern(unit), type_number};
    return ArgumentId{tables_.arguments.add(record, record) << 2 | type_number};
  }
  void event(TrackId track, std::string_view name, std::int64_t start_ns, std::int64_t dur_ns) {
    put(&Records::events, {start_ns, dur_ns, number(track), intern(name), 0, 0, 0, 0, 0});
  }
  void event(TrackId track, std::string_view name, std::int64_t start_ns, std::int64_t dur_ns,
             std::initializer_list<Argument> arguments, const EventInfo& info = {}) {
    event(track, name, start_ns, dur_ns, arguments.begin(), arguments.size(), info);
  }
  void event(TrackId track, std::string_view name, std::int64_t start_ns, std::int64_t dur_ns,
             const std::vector<Argument>& arguments, const EventInfo& info = {}) {
    event(track, name, start_ns, dur_ns, arguments.data(), arguments.size(), info);
  }
  void event(TrackId track, std::string_view name, std::int64_t start_ns, std::int64_t dur_ns,
             const Argument* arguments, std::size_t argument_count, const EventInfo& info) {
    ThreadBuffer& buffer = local();
    intern_arguments(arguments, argument_count, buffer);
    const EventRecord record{start_ns,
                             dur_ns,
                             number(track),
                             intern(name, buffer),
                             number(info.context) + 1,
                             intern(info.category, buffer),
                             static_cast<std::uint32_t>(buffer.arguments.size()),
                             static_cast<std::uint8_t>(info.kind),
                             static_cast<std::uint8_t>(info.error ? kEventError : 0)};
    std::size_t size = 0;
    {
      const std::lock_guard lock(buffer.mutex);
      const auto& arguments_of = buffer.arguments;
      ArgumentRecord* const first =
          ThreadBuffer::add(buffer.active.events, record, buffer.active.arguments, arguments_of.size());
      std::copy(arguments_of.begin(), arguments_of.end(), first);
      size = buffer.active.events.size();
    }
    note_size(size);
  }
  // info: an argument of that name. context: what it leads to.
  void event(TrackId track, std::string_view name, std::int64_t start_ns, std::int64_t dur_ns, std::string_view info,
             ContextId context = kNoContext) {
    EventInfo with;
    with.context = context;
    if (info.empty()) return event(track, name, start_ns, dur_ns, nullptr, 0, with);
    event(track, name, start_ns, dur_ns, {{argument("info", {}, ArgumentType::kText), info}}, with);
  }
  // An event that takes no time.
  void instant(TrackId track, std::string_view name, std::int64_t at_ns, std::initializer_list<Argument> arguments = {},
               EventInfo info = {}) {
    info.kind = EventKind::kInstant;
    event(track, name, at_ns, 0, arguments, info);
  }
  // A part of the time: a "step", an "iteration", a "call". track: whose time it is; kNoTrack: everybody's.
  void run(std::string_view kind, std::string_view name, std::int64_t number, std::int64_t from_ns, std::int64_t to_ns,
           TrackId track = kNoTrack) {
    put(&Records::runs, {number, from_ns, to_ns, static_cast<std::uint32_t>(track) + 1, intern(kind), intern(name)});
  }
  // Records a fact about a device, or without a subject about the capture itself: "GPU 0", "memory", 80e9, "B".
  void fact(std::string_view subject, std::string_view name, const Value& value, std::string_view unit = {}) {
    const bool is_text = value.type() == ArgumentType::kText;
    put(&Records::facts, {is_text ? std::int64_t{intern(value.text())} : value.integer(), value.real(), intern(subject),
                          intern(name), intern(unit), static_cast<std::uint32_t>(value.type())});
  }
  // A call stack: its innermost frame, and the stack that called it. The same for the same.
  StackId stack(std::string_view function, std::string_view file, std::uint32_t line, StackId caller = kNoStack) {
    const decltype(Tables::stacks)::Record record{intern(function), intern(file), line, number(caller) + 1};
    return StackId{tables_.stacks.add(record, record)};
  }
  // Records that a track stood there at a time. weight: how many samples this one stands for.
  void stack_sample(TrackId track, std::int64_t at_ns, StackId stack, double weight = 1) {
    put(&Records::stack_samples, {at_ns, weight, number(track), number(stack)});
  }
  // A quantity over time; each value holds until the next.
  CounterId counter(TrackId track, std::string_view name, std::string_view unit = {}) {
    const std::uint32_t named = intern(name);
    return CounterId{tables_.counters.add({named, intern(unit), number(track)}, {named, 0, number(track)})};
  }
  void sample(CounterId counter, std::int64_t at_ns, double value) {
    put(&Records::samples, {at_ns, value, number(counter)});
  }
  // A buffer in the track's memory; its key may be used again after free().
  void allocation(TrackId track, std::uint64_t key, std::int64_t at_ns, std::uint64_t size_bytes,
                  const AllocationInfo& info) {
    const bool has_address = info.address != AllocationInfo::kNoAddress;
    put(&Records::memory,
        {at_ns, key, size_bytes, has_address ? info.address : 0, number(track), intern(info.what),
         intern(info.category), number(info.context) + 1, has_address ? kAllocationAddressed : 0, false});
  }
  void allocation(TrackId track, std::uint64_t key, std::int64_t at_ns, std::uint64_t size_bytes,
                  std::string_view what = {}) {
    allocation(track, key, at_ns, size_bytes, AllocationInfo{what});
  }
  void free(TrackId track, std::uint64_t key, std::int64_t at_ns) {
    put(&Records::memory, {at_ns, key, 0, 0, number(track), 0, 0, 0, 0, true});
  }
  void marker(std::string_view name, std::int64_t at_ns, std::string_view colour = {}) {
    put(&Records::markers, {at_ns, intern(name), intern(colour)});
  }
  // Records that an event on one track led to an event on another: a launch to its kernel.
  void flow(TrackId from, std::int64_t from_ns, TrackId to, std::int64_t to_ns) {
    put(&Records::flows, {from_ns, to_ns, number(from), number(to)});
  }

  // ---- The file.

  // Writes what was recorded so far.
  void flush() { write_all(); }
  // Writes the rest and the file's end, and closes; nothing may be recorded after. Called by the destructor too.
  void close() {
    if (thread_.joinable()) {
      {
        const std::lock_guard lock(wake_mutex_);
        ending_ = true;
      }
      wake_.notify_one();
      thread_.join();
      write_all(true);
    }
    if (file_ != nullptr && std::fclose(std::exchange(file_, nullptr)) != 0) fail();
  }
  // Why the file could not be written; empty where it could.
  std::string error() const {
    const std::lock_guard lock(file_mutex_);
    return error_;
  }

 private:
  template <typename Id>
  static std::uint32_t number(Id id) {
    return static_cast<std::uint32_t>(id);
  }

  template <typename Clock>
  static std::int64_t ns_of() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
  }

  // stream: tells tracks apart that are equal otherwise.
  TrackId add_track(const TrackInfo& info, std::string_view stream) {
    const decltype(Tables::tracks)::Record record{intern(info.name), intern(info.kind), number(info.parent) + 1,
                                                  static_cast<std::uint64_t>(info.sort), info.hertz};
    return TrackId{tables_.tracks.add(record, {record[0], record[1], record[2], intern(stream), 0})};
  }

  // Into buffer.arguments.
  void intern_arguments(const Argument* arguments, std::size_t count, ThreadBuffer& buffer) {
    buffer.arguments.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const Value& value = arguments[i].value;
      const auto type = static_cast<ArgumentType>(number(arguments[i].argument) & 3);
      ArgumentRecord record{0, number(arguments[i].argument) >> 2, type == ArgumentType::kReal};
      if ((type == ArgumentType::kText) != (value.type() == ArgumentType::kText)) continue;
      const double real = value.real();
      if (type == ArgumentType::kInteger) record.bits = static_cast<std::uint64_t>(value.integer());
      if (type == ArgumentType::kReal) std::memcpy(&record.bits, &real, sizeof real);
      if (type == ArgumentType::kText) record.bits = intern(value.text(), buffer);
      buffer.arguments.push_back(record);
    }
  }

  // The calling thread's buffer; looked for in a table once a thread, and when it turns to another writer.
  ThreadBuffer& local() {
    struct Last {
      std::uint64_t writer = 0;
      ThreadBuffer* buffer = nullptr;
    };
    thread_local Last last;
    if (last.writer != serial_) {
      const std::lock_guard lock(threads_mutex_);
      auto& buffer = threads_[std::this_thread::get_id()];
      if (buffer == nullptr) buffer = std::make_unique<ThreadBuffer>();
      last = {serial_, buffer.get()};
    }
    return *last.buffer;
  }

  std::uint32_t intern(std::string_view text) { return intern(text, local()); }
  std::uint32_t intern(std::string_view text, ThreadBuffer& buffer) {
    if (text.empty()) return 0;
    const auto known = buffer.strings.find(text);
    if (known != buffer.strings.end()) return known->second;
    const auto [view, number] = strings_.intern(text);
    if (buffer.strings.size() > ThreadBuffer::kMostCachedStrings) buffer.strings.clear();
    buffer.strings.emplace(view, number);
    return number;
  }

  template <typename Record>
  void put(std::vector<Record> Records::*which, Record record) {
    ThreadBuffer& buffer = local();
    std::size_t size = 0;
    {
      const std::lock_guard lock(buffer.mutex);
      (buffer.active.*which).push_back(record);
      size = (buffer.active.*which).size();
    }
    note_size(size);
  }

  // A thread that records faster than the writer's thread can pack helps it, so that memory stays bounded.
  void note_size(std::size_t size) {
    if (size % kWrittenRecords != 0) return;
    size < ThreadBuffer::kMostRecords ? wake_.notify_one() : write_all();
  }

  void start() {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
      errno = EAGAIN;
      fail();
    } catch (const std::bad_alloc&) {
      errno = ENOMEM;
      fail();
    }
  }

  void run() {
    std::unique_lock lock(wake_mutex_);
    while (!ending_) {
      wake_.wait_for(lock, options_.interval);
      lock.unlock();
      write_all();
      lock.lock();
    }
  }

  // Writes what was recorded, and the file's end where nothing follows. Where memory lacks for that, the file stops
  // with the last whole chunk and without an end: what follows would refer to what is not in it.
  void write_all(bool is_last = false) {
    const std::lock_guard lock(file_mutex_);
    if (file_ == nullptr) return;
    try {
      write_recorded();
      if (is_last) append(end_chunk(chunks_).finish(packer_));
    } catch (const std::bad_alloc&) {
      errno = ENOMEM;
      fail();
      const std::lock_guard threads_lock(threads_mutex_);
      for (const auto& [id, buffer] : threads_) buffer->taken.clear();
    }
    if (std::fflush(file_) != 0) fail();
  }

  // Takes what the threads have recorded, then the tables that it refers to, and writes these first.
  void write_recorded() {
    std::vector<ThreadBuffer*> threads;
    {
      const std::lock_guard threads_lock(threads_mutex_);
      for (const auto& [id, buffer] : threads_) threads.push_back(buffer.get());
    }
    for (ThreadBuffer* thread : threads) thread->take();
    const auto write = [this](const std::string& chunk) {
      append(chunk);
      ++chunks_;
    };
    tables_.take();
    strings_.write(packer_, write);
    tables_.write(packer_, write);
    for (ThreadBuffer* thread : threads) thread->taken.write(packer_, write);
  }

  void append(const std::string& bytes) {
    if (error_.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
  }
  // In as many characters as there is room for since the beginning: a lack of memory is one of the reasons.
  void fail() {
    const std::string_view why = std::strerror(errno);
    if (error_.empty()) error_.assign(why.substr(0, kMostErrorChars));
  }

  static constexpr std::size_t kMostErrorChars = 100;
  inline static std::atomic<std::uint64_t> next_serial_{1};

  const std::uint64_t serial_ = next_serial_.fetch_add(1);
  const WriterOptions options_;
  StringTable strings_;
  Tables tables_;
  std::atomic<std::uint32_t> next_op_{0};

  std::mutex threads_mutex_;
  std::map<std::thread::id, std::unique_ptr<ThreadBuffer>> threads_;

  mutable std::mutex file_mutex_;
  Packer packer_;
  std::FILE* file_ = nullptr;
  std::uint64_t chunks_ = 0;  // that were written since the header
  std::string error_;

  std::mutex wake_mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  std::thread thread_;
};

// Records an event from here to the end of the block.
class Span {
 public:
  Span(CaptureWriter& writer, TrackId track, std::string_view name) : writer_(writer), track_(track), name_(name) {}
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  ~Span() { writer_.event(track_, name_, start_ns_, CaptureWriter::now_ns() - start_ns_); }

 private:
  CaptureWriter& writer_;
  const TrackId track_;
  const std::string name_;
  const std::int64_t start_ns_ = CaptureWriter::now_ns();
};

}  // namespace vizd::capture
