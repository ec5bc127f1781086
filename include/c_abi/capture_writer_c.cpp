// The C functions of capture_writer_c.h: each calls its namesake of CaptureWriter. No exception leaves them; what was
// recorded when memory ran out is lost.
#include "vizd/capture_writer_c.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "vizd/capture_writer.h"

using namespace vizd::capture;

struct vizd_writer : CaptureWriter {
  using CaptureWriter::CaptureWriter;
};

namespace {

std::string_view view(const char* text) { return text == nullptr ? std::string_view() : std::string_view(text); }

Value value_of(const vizd_value& value) {
  if (value.type == VIZD_INTEGER) return Value(value.integer);
  if (value.type == VIZD_REAL) return Value(value.real);
  return Value(view(value.text));
}

template <typename Call>
auto guarded(Call&& call) -> decltype(call()) {
  using Answer = decltype(call());
  try {
    return call();
  } catch (...) {
    if constexpr (!std::is_void_v<Answer>) return static_cast<Answer>(VIZD_NONE);
  }
}

}  // namespace

vizd_writer* vizd_open(const char* path, int append) {
  try {
    WriterOptions options;
    options.append = append != 0;
    return new vizd_writer(std::string(view(path)), options);
  } catch (...) {
    return nullptr;
  }
}

int vizd_close(vizd_writer* writer) {
  if (writer == nullptr) return -1;
  return guarded([&] {
    writer->close();
    const int status = writer->error().empty() ? 0 : -1;
    delete writer;
    return status;
  });
}

void vizd_flush(vizd_writer* writer) {
  guarded([&] { writer->flush(); });
}

size_t vizd_error(const vizd_writer* writer, char* text, size_t size_bytes) {
  const std::string error = writer->error();
  if (size_bytes > 0) {
    const std::size_t copied = std::min(size_bytes - 1, error.size());
    std::memcpy(text, error.data(), copied);
    text[copied] = '\0';
  }
  return error.size();
}

uint32_t vizd_kind(vizd_writer* writer, const char* name, const char* colour, int inlined) {
  return guarded([&] { return static_cast<uint32_t>(writer->kind(view(name), view(colour), inlined != 0)); });
}

uint32_t vizd_location(vizd_writer* writer, const char* file, uint32_t line, const char* code) {
  return guarded([&] { return static_cast<uint32_t>(writer->location(view(file), line, view(code))); });
}

uint32_t vizd_context(vizd_writer* writer, const char* name) {
  return guarded([&] { return static_cast<uint32_t>(writer->context(view(name))); });
}

uint32_t vizd_context_from(vizd_writer* writer, const char* name, uint32_t stack) {
  return guarded([&] { return static_cast<uint32_t>(writer->context(view(name), StackId{stack})); });
}

void vizd_link(vizd_writer* writer, const char* name, uint32_t context) {
  guarded([&] { writer->link(view(name), ContextId{context}); });
}

void vizd_program(vizd_writer* writer, uint32_t context, const char* name, const char* source, const char* device,
                  const void* binary, size_t binary_bytes) {
  const std::string_view bytes(static_cast<const char*>(binary), binary == nullptr ? 0 : binary_bytes);
  guarded([&] { writer->program(ContextId{context}, view(name), view(source), view(device), bytes); });
}

uint32_t vizd_op(vizd_writer* writer, const vizd_op_info* info, const uint32_t* sources, size_t source_count) {
  static_assert(sizeof(OpId) == sizeof(uint32_t));
  OpInfo op;
  op.kind = KindId{info->kind};
  op.dtype = view(info->dtype);
  op.argument = view(info->argument);
  op.shape = view(info->shape);
  op.tag = view(info->tag);
  op.label = view(info->label);
  op.text = view(info->text);
  op.identity = info->identity;
  op.context = ContextId{info->context};
  op.inlined = info->inlined != 0;
  return guarded([&] {
    std::vector<OpId> ids(source_count);
    if (source_count != 0) std::memcpy(ids.data(), sources, source_count * sizeof(OpId));
    return static_cast<uint32_t>(writer->op(op, ids));
  });
}

uint32_t vizd_pass(vizd_writer* writer, uint32_t context, const char* name, uint32_t root, uint32_t location,
                   uint32_t depth) {
  return guarded([&] {
    const PassId pass = writer->pass(ContextId{context}, view(name), OpId{root}, LocationId{location}, depth);
    return static_cast<uint32_t>(pass);
  });
}

uint32_t vizd_graph_pass(vizd_writer* writer, uint32_t context, const char* name, uint32_t root, uint32_t location,
                         uint32_t depth) {
  return guarded([&] {
    const PassId pass = writer->graph_pass(ContextId{context}, view(name), OpId{root}, LocationId{location}, depth);
    return static_cast<uint32_t>(pass);
  });
}

void vizd_match(vizd_writer* writer, uint32_t pass, uint32_t before, uint32_t after, uint32_t rule, float seconds) {
  guarded([&] { writer->match(PassId{pass}, OpId{before}, OpId{after}, LocationId{rule}, seconds); });
}

void vizd_graph(vizd_writer* writer, uint32_t pass, uint32_t root, uint32_t location, float seconds) {
  guarded([&] { writer->graph(PassId{pass}, OpId{root}, LocationId{location}, seconds); });
}

uint32_t vizd_measure(vizd_writer* writer, const char* name, const char* unit) {
  return guarded([&] { return static_cast<uint32_t>(writer->measure(view(name), view(unit))); });
}

void vizd_op_value(vizd_writer* writer, uint32_t measure, uint32_t op, double value) {
  guarded([&] { writer->op_value(MeasureId{measure}, OpId{op}, value); });
}

int64_t vizd_now_ns(void) { return CaptureWriter::now_ns(); }

int64_t vizd_unix_offset_ns(void) { return CaptureWriter::unix_offset_ns(); }

void vizd_clock(vizd_writer* writer, const char* name, const int64_t* unix_offset_ns) {
  guarded([&] {
    writer->clock(view(name), unix_offset_ns == nullptr ? std::nullopt : std::optional<std::int64_t>(*unix_offset_ns));
  });
}

uint32_t vizd_track(vizd_writer* writer, const vizd_track_info* info) {
  const TrackInfo track{view(info->name), view(info->kind), TrackId{info->parent}, info->sort, info->hertz};
  return guarded([&] { return static_cast<uint32_t>(writer->track(track)); });
}

uint32_t vizd_lane(vizd_writer* writer, const char* name) {
  return guarded([&] { return static_cast<uint32_t>(writer->lane(view(name))); });
}

uint32_t vizd_grouped_lane(vizd_writer* writer, const vizd_lane_info* info) {
  LaneInfo lane;
  lane.name = view(info->name);
  lane.rank = view(info->rank);
  lane.process = view(info->process);
  lane.device = view(info->device);
  lane.stream = view(info->stream);
  lane.hertz = info->hertz;
  return guarded([&] { return static_cast<uint32_t>(writer->lane(lane)); });
}

uint32_t vizd_argument(vizd_writer* writer, const char* name, const char* unit, int type) {
  const auto kind = static_cast<ArgumentType>(type & 3);
  return guarded([&] { return static_cast<uint32_t>(writer->argument(view(name), view(unit), kind)); });
}

void vizd_event(vizd_writer* writer, uint32_t track, const char* name, int64_t start_ns, int64_t dur_ns,
                const char* info, uint32_t context) {
  guarded([&] { writer->event(TrackId{track}, view(name), start_ns, dur_ns, view(info), ContextId{context}); });
}

void vizd_detailed_event(vizd_writer* writer, uint32_t track, const char* name, int64_t start_ns, int64_t dur_ns,
                         const vizd_event_info* info) {
  const EventInfo known{static_cast<EventKind>(info->kind), view(info->category), ContextId{info->context},
                        info->error != 0};
  guarded([&] {
    std::vector<Argument> arguments;
    for (size_t i = 0; i < info->argument_count; ++i) {
      const vizd_event_argument& given = info->arguments[i];
      arguments.push_back({ArgumentId{given.argument}, value_of(given.value)});
    }
    writer->event(TrackId{track}, view(name), start_ns, dur_ns, arguments, known);
  });
}

void vizd_run(vizd_writer* writer, const char* kind, const char* name, int64_t number, int64_t from_ns, int64_t to_ns,
              uint32_t track) {
  guarded([&] { writer->run(view(kind), view(name), number, from_ns, to_ns, TrackId{track}); });
}

void vizd_fact(vizd_writer* writer, const char* subject, const char* name, vizd_value value, const char* unit) {
  guarded([&] { writer->fact(view(subject), view(name), value_of(value), view(unit)); });
}

uint32_t vizd_stack(vizd_writer* writer, const char* function, const char* file, uint32_t line, uint32_t caller) {
  return guarded(
      [&] { return static_cast<uint32_t>(writer->stack(view(function), view(file), line, StackId{caller})); });
}

void vizd_stack_sample(vizd_writer* writer, uint32_t track, int64_t at_ns, uint32_t stack, double weight) {
  guarded([&] { writer->stack_sample(TrackId{track}, at_ns, StackId{stack}, weight); });
}

uint32_t vizd_counter(vizd_writer* writer, uint32_t track, const char* name, const char* unit) {
  return guarded([&] { return static_cast<uint32_t>(writer->counter(TrackId{track}, view(name), view(unit))); });
}

void vizd_sample(vizd_writer* writer, uint32_t counter, int64_t at_ns, double value) {
  guarded([&] { writer->sample(CounterId{counter}, at_ns, value); });
}

void vizd_allocation(vizd_writer* writer, uint32_t track, uint64_t key, int64_t at_ns, uint64_t size_bytes,
                     const vizd_allocation_info* info) {
  AllocationInfo known;
  if (info != nullptr) known = {view(info->what), view(info->category), info->address, ContextId{info->context}};
  guarded([&] { writer->allocation(TrackId{track}, key, at_ns, size_bytes, known); });
}

void vizd_free(vizd_writer* writer, uint32_t track, uint64_t key, int64_t at_ns) {
  guarded([&] { writer->free(TrackId{track}, key, at_ns); });
}

void vizd_marker(vizd_writer* writer, const char* name, int64_t at_ns, const char* colour) {
  guarded([&] { writer->marker(view(name), at_ns, view(colour)); });
}

void vizd_flow(vizd_writer* writer, uint32_t from_track, int64_t from_ns, uint32_t to_track, int64_t to_ns) {
  guarded([&] { writer->flow(TrackId{from_track}, from_ns, TrackId{to_track}, to_ns); });
}
