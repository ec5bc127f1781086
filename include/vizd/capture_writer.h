// CaptureWriter: records what a compiler does to its graphs, and what devices then do, into a file that vizd opens,
// also while it is being written. Header-only: C++17, zstd, threads. See README.md beside this for a tour.
//
//   vizd::capture::CaptureWriter writer("run.bin");
//   const auto add = writer.kind("ADD", "#ffc0c0");
//   const auto sum = writer.op({add, "int"}, {a, b});
//   writer.match(pass, before, after, writer.location(__FILE__, __LINE__));
//   writer.event(lane, "kernel", start_ns, dur_ns);
//
// Every function may be called by any thread. Recording appends to a buffer of the thread's own; a thread of the
// writer's collects the buffers several times a second, packs them and appends whole chunks, so that a crash loses what
// was recorded since. What one thread records keeps its order. Ids are handed on between threads freely. Nothing throws
// but std::bad_alloc; where the file cannot be written, error() says why and recording goes on without effect.
#pragma once

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vizd/capture_buffers.h"
#include "vizd/capture_format.h"

namespace vizd::capture {

enum class KindId : std::uint32_t {};
enum class OpId : std::uint32_t {};
enum class LocationId : std::uint32_t {};
enum class ContextId : std::uint32_t {};
enum class PassId : std::uint32_t {};
enum class LaneId : std::uint32_t {};
enum class CounterId : std::uint32_t {};
inline constexpr ContextId kNoContext{0xFFFFFFFFu};

// An op but for its sources, with the texts that vizd shows. All but the kind may be left out.
struct OpInfo {
  KindId kind{};
  std::string_view dtype = {};
  std::string_view argument = {};
  std::string_view shape = {};
  std::string_view tag = {};
  std::string_view label = {};     // the text of its box, instead of one made of the above
  std::string_view text = {};      // its line in the printed graph, likewise
  std::uint64_t identity = 0;      // tells ops apart that are equal otherwise; the same op in the next whole graph
  ContextId context = kNoContext;  // what it leads to: a kernel's own compilation
  bool inlined = false;            // a line in its users' boxes instead of a box of its own
};

// A device, a stream, an engine, a thread. All but the name may be left out; what lanes have in common brings them
// together.
struct LaneInfo {
  std::string_view name;
  std::string_view rank = {}, process = {}, device = {}, stream = {};
  std::uint64_t hertz = 0;  // of the clock that timed it
};

// What is known of a buffer beyond its size.
struct AllocationInfo {
  static constexpr std::uint64_t kNoAddress = ~std::uint64_t{0};

  std::string_view what = {};      // the type of its items
  std::string_view category = {};  // "weights", "activations", …
  std::uint64_t address = kNoAddress;
  ContextId context = kNoContext;  // what it leads to
};

struct WriterOptions {
  int level = 3;                            // of zstd
  std::chrono::milliseconds interval{250};  // how often recorded things reach the file
  bool append = false;                      // to the file that is there, instead of a new one
};

class CaptureWriter {
 public:
  explicit CaptureWriter(const std::string& path, WriterOptions options = {})
      : options_(options), packer_(options.level), file_(std::fopen(path.c_str(), options.append ? "ab" : "wb")) {
    if (file_ == nullptr) {
      fail();
    } else {
      append(file_header());
      thread_ = std::thread([this] { run(); });
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
  ContextId context(std::string_view name) { return ContextId{tables_.contexts.add({intern(name)})}; }
  // That a name (of a kernel, of an event) leads to the context.
  void link(std::string_view name, ContextId to) { tables_.links.add({number(to), 0, intern(name)}); }
  // binary: the bytes that the device runs, an object file or bare code, where they are known.
  void program(ContextId made_by, std::string_view name, std::string_view source, std::string_view device,
               std::string_view binary = {}) {
    tables_.programs.add({number(made_by), intern(name), intern(source), intern(device), 0, intern(binary)});
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
      for (std::size_t i = 0; i < source_count; ++i) buffer.active.sources.push_back(number(sources[i]));
      buffer.active.ops.push_back(record);
      size = buffer.active.ops.size();
    }
    note_size(size);
    return OpId{record.number};
  }
  // That a rule replaced one op by another. seconds: what it took, negative where not known.
  void match(PassId pass, OpId before, OpId after, LocationId rule, float seconds = -1) {
    put(&Records::matches, {number(pass), number(before), number(after), number(rule), seconds});
  }
  // The whole graph of a graph_pass() after a change.
  void graph(PassId pass, OpId root, LocationId location, float seconds = -1) {
    put(&Records::matches, {number(pass), 0, number(root), number(location), seconds});
  }

  // ---- What devices do. Times are nanoseconds on one clock, any; now_ns() is one.

  static std::int64_t now_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  // The same for the same texts.
  LaneId lane(const LaneInfo& info) {
    decltype(Tables::lanes)::Record record{intern(info.name),   intern(info.rank),   intern(info.process),
                                           intern(info.device), intern(info.stream), info.hertz};
    auto key = record;
    key.back() = 0;
    return LaneId{tables_.lanes.add(record, key)};
  }
  LaneId lane(std::string_view name) { return lane(LaneInfo{name}); }
  // info: further lines of its tooltip. context: what it leads to.
  void event(LaneId lane, std::string_view name, std::int64_t start_ns, std::int64_t dur_ns, std::string_view info = {},
             ContextId context = kNoContext) {
    put(&Records::events, {start_ns, dur_ns, number(lane), intern(name), intern(info), number(context) + 1});
  }
  // A quantity over time; each value holds until the next.
  CounterId counter(LaneId lane, std::string_view name, std::string_view unit = {}) {
    const std::uint32_t named = intern(name);
    return CounterId{tables_.counters.add({named, intern(unit), number(lane)}, {named, 0, number(lane)})};
  }
  void sample(CounterId counter, std::int64_t at_ns, double value) {
    put(&Records::samples, {at_ns, value, number(counter)});
  }
  // A buffer in the lane's memory; its key may be used again after free().
  void allocation(LaneId lane, std::uint64_t key, std::int64_t at_ns, std::uint64_t size_bytes,
                  const AllocationInfo& info) {
    const bool has_address = info.address != AllocationInfo::kNoAddress;
    put(&Records::memory,
        {at_ns, key, size_bytes, has_address ? info.address : 0, number(lane), intern(info.what), intern(info.category),
         number(info.context) + 1, has_address ? kAllocationAddressed : 0, false});
  }
  void allocation(LaneId lane, std::uint64_t key, std::int64_t at_ns, std::uint64_t size_bytes,
                  std::string_view what = {}) {
    allocation(lane, key, at_ns, size_bytes, AllocationInfo{what});
  }
  void free(LaneId lane, std::uint64_t key, std::int64_t at_ns) {
    put(&Records::memory, {at_ns, key, 0, 0, number(lane), 0, 0, 0, 0, true});
  }
  void marker(std::string_view name, std::int64_t at_ns, std::string_view colour = {}) {
    put(&Records::markers, {at_ns, intern(name), intern(colour)});
  }
  // That what the one lane does at a time led to what the other does at another: a launch to its kernel.
  void flow(LaneId from, std::int64_t from_ns, LaneId to, std::int64_t to_ns) {
    put(&Records::flows, {from_ns, to_ns, number(from), number(to)});
  }

  // ---- The file.

  // Writes what was recorded so far.
  void flush() { write_all(); }
  // Writes the rest and closes; nothing may be recorded after. Called by the destructor too.
  void close() {
    if (thread_.joinable()) {
      {
        const std::lock_guard lock(wake_mutex_);
        ending_ = true;
      }
      wake_.notify_one();
      thread_.join();
      write_all();
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

  // Whoever records faster than the writer's thread can pack helps it, so that memory stays bounded.
  void note_size(std::size_t size) {
    if (size % kWrittenRecords != 0) return;
    size < ThreadBuffer::kMostRecords ? wake_.notify_one() : write_all();
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

  // Takes what the threads have recorded, then the tables that it refers to, and writes these first.
  void write_all() {
    const std::lock_guard lock(file_mutex_);
    if (file_ == nullptr) return;
    std::vector<ThreadBuffer*> threads;
    {
      const std::lock_guard threads_lock(threads_mutex_);
      for (const auto& [id, buffer] : threads_) threads.push_back(buffer.get());
    }
    for (ThreadBuffer* thread : threads) thread->take();
    const auto write = [this](const std::string& chunk) { append(chunk); };
    tables_.take();
    strings_.write(packer_, write);
    tables_.write(packer_, write);
    for (ThreadBuffer* thread : threads) thread->taken.write(packer_, write);
    if (std::fflush(file_) != 0) fail();
  }

  void append(const std::string& bytes) {
    if (error_.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail();
  }
  void fail() {
    if (error_.empty()) error_ = std::strerror(errno);
  }

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
  std::FILE* file_;
  std::string error_;

  std::mutex wake_mutex_;
  std::condition_variable wake_;
  bool ending_ = false;
  std::thread thread_;
};

// Records an event from here to the end of the block.
class Span {
 public:
  Span(CaptureWriter& writer, LaneId lane, std::string_view name) : writer_(writer), lane_(lane), name_(name) {}
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  ~Span() { writer_.event(lane_, name_, start_ns_, CaptureWriter::now_ns() - start_ns_); }

 private:
  CaptureWriter& writer_;
  const LaneId lane_;
  const std::string name_;
  const std::int64_t start_ns_ = CaptureWriter::now_ns();
};

}  // namespace vizd::capture
