/* The capture writer (capture_writer.h) for C, and for whatever calls C. Link vizd_capture_c.
 *
 * Texts are zero-terminated UTF-8; NULL is "". Ids are numbers; VIZD_NONE is none. Times are nanoseconds on one clock.
 * Every function may be called by any thread, except that vizd_close() ends the writer for all. */
#ifndef VIZD_CAPTURE_WRITER_C_H
#define VIZD_CAPTURE_WRITER_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VIZD_NONE UINT32_MAX
#define VIZD_NO_ADDRESS UINT64_MAX

typedef struct vizd_writer vizd_writer;

/* An op but for its sources; see OpInfo. Zero it first, and set context to VIZD_NONE where it leads nowhere. */
typedef struct vizd_op_info {
  uint32_t kind;
  const char* dtype;
  const char* argument;
  const char* shape;
  const char* tag;
  const char* label;
  const char* text;
  uint64_t identity;
  uint32_t context;
  int inlined;
} vizd_op_info;

/* A lane with what brings lanes together; see LaneInfo. Zero it first; only the name is a must. */
typedef struct vizd_lane_info {
  const char* name;
  const char* rank;
  const char* process;
  const char* device;
  const char* stream;
  uint64_t hertz;
} vizd_lane_info;

/* A node of the tree on which all that devices do hangs; see TrackInfo. Zero it first, and set parent to VIZD_NONE
 * where there is none; only the name is a must. */
typedef struct vizd_track_info {
  const char* name;
  const char* kind;
  uint32_t parent;
  int32_t sort;
  uint64_t hertz;
} vizd_track_info;

/* The types of arguments and values. */
enum { VIZD_INTEGER = 1, VIZD_REAL = 2, VIZD_TEXT = 3 };

/* A value, as vizd_integer(), vizd_real() and vizd_text() make it. */
typedef struct vizd_value {
  int type;
  int64_t integer;
  double real;
  const char* text;
} vizd_value;

/* What an event says beyond its time; argument is one of vizd_argument(). */
typedef struct vizd_event_argument {
  uint32_t argument;
  vizd_value value;
} vizd_event_argument;

/* The kinds of events: an instant takes no time; an unfinished one still ran when recording ended; an asynchronous one
 * says nothing of what its track was busy with. */
enum { VIZD_SPAN = 0, VIZD_INSTANT = 1, VIZD_UNFINISHED = 2, VIZD_ASYNCHRONOUS = 3 };

/* What else there is to say of an event; see EventInfo. Zero it first, and set context to VIZD_NONE where it leads
 * nowhere. */
typedef struct vizd_event_info {
  int kind;
  const char* category;
  uint32_t context;
  int error;
  const vizd_event_argument* arguments;
  size_t argument_count;
} vizd_event_info;

/* What is known of a buffer; see AllocationInfo. Zero it first, and set address to VIZD_NO_ADDRESS and context to
 * VIZD_NONE where there is none; NULL where nothing is. */
typedef struct vizd_allocation_info {
  const char* what;
  const char* category;
  uint64_t address;
  uint32_t context;
} vizd_allocation_info;

/* NULL where there is no memory; where the file cannot be written, vizd_error() says why. append: to what is there. */
vizd_writer* vizd_open(const char* path, int append);
/* Writes the rest and frees the writer. Returns 0, or -1 where the file could not be written whole. */
int vizd_close(vizd_writer* writer);
void vizd_flush(vizd_writer* writer);
/* Copies why the file could not be written, cut to fit; "" where it could. Returns the whole length. */
size_t vizd_error(const vizd_writer* writer, char* text, size_t size_bytes);

uint32_t vizd_kind(vizd_writer* writer, const char* name, const char* colour, int inlined);
uint32_t vizd_location(vizd_writer* writer, const char* file, uint32_t line, const char* code);
uint32_t vizd_context(vizd_writer* writer, const char* name);
/* stack: where in the user's program it was asked for. */
uint32_t vizd_context_from(vizd_writer* writer, const char* name, uint32_t stack);
void vizd_link(vizd_writer* writer, const char* name, uint32_t context);
/* context: VIZD_NONE where none made it. binary: the bytes that the device runs, or NULL and 0. */
void vizd_program(vizd_writer* writer, uint32_t context, const char* name, const char* source, const char* device,
                  const void* binary, size_t binary_bytes);
uint32_t vizd_op(vizd_writer* writer, const vizd_op_info* info, const uint32_t* sources, size_t source_count);
uint32_t vizd_pass(vizd_writer* writer, uint32_t context, const char* name, uint32_t root, uint32_t location,
                   uint32_t depth);
uint32_t vizd_graph_pass(vizd_writer* writer, uint32_t context, const char* name, uint32_t root, uint32_t location,
                         uint32_t depth);
/* seconds: negative where not known. */
void vizd_match(vizd_writer* writer, uint32_t pass, uint32_t before, uint32_t after, uint32_t rule, float seconds);
void vizd_graph(vizd_writer* writer, uint32_t pass, uint32_t root, uint32_t location, float seconds);
/* A number on ops, to colour graphs by. */
uint32_t vizd_measure(vizd_writer* writer, const char* name, const char* unit);
void vizd_op_value(vizd_writer* writer, uint32_t measure, uint32_t op, double value);

int64_t vizd_now_ns(void);
/* Unix time when vizd_now_ns() was zero. */
int64_t vizd_unix_offset_ns(void);
/* Once: what times count from. unix_offset_ns: Unix time when that clock was zero, NULL where it is not known. */
void vizd_clock(vizd_writer* writer, const char* name, const int64_t* unix_offset_ns);
uint32_t vizd_track(vizd_writer* writer, const vizd_track_info* info);
/* Tracks too, by name or under those of their rank, process and device. */
uint32_t vizd_lane(vizd_writer* writer, const char* name);
uint32_t vizd_grouped_lane(vizd_writer* writer, const vizd_lane_info* info);
static inline vizd_value vizd_integer(int64_t value) {
  const vizd_value made = {VIZD_INTEGER, value, 0, NULL};
  return made;
}
static inline vizd_value vizd_real(double value) {
  const vizd_value made = {VIZD_REAL, 0, value, NULL};
  return made;
}
static inline vizd_value vizd_text(const char* value) {
  const vizd_value made = {VIZD_TEXT, 0, 0, value};
  return made;
}
/* type: VIZD_INTEGER, VIZD_REAL or VIZD_TEXT. */
uint32_t vizd_argument(vizd_writer* writer, const char* name, const char* unit, int type);
/* info: an argument of that name, or NULL. */
void vizd_event(vizd_writer* writer, uint32_t track, const char* name, int64_t start_ns, int64_t dur_ns,
                const char* info, uint32_t context);
void vizd_detailed_event(vizd_writer* writer, uint32_t track, const char* name, int64_t start_ns, int64_t dur_ns,
                         const vizd_event_info* info);
/* A part of the time: a "step", a "call". track: whose it is; VIZD_NONE: everybody's. */
void vizd_run(vizd_writer* writer, const char* kind, const char* name, int64_t number, int64_t from_ns, int64_t to_ns,
              uint32_t track);
/* A fact of a device, or with subject NULL of the capture. */
void vizd_fact(vizd_writer* writer, const char* subject, const char* name, vizd_value value, const char* unit);
/* A call stack: its innermost frame, and the stack that called it, or VIZD_NONE. */
uint32_t vizd_stack(vizd_writer* writer, const char* function, const char* file, uint32_t line, uint32_t caller);
/* weight: what the sample stands for, in samples; 1 as a rule. */
void vizd_stack_sample(vizd_writer* writer, uint32_t track, int64_t at_ns, uint32_t stack, double weight);
uint32_t vizd_counter(vizd_writer* writer, uint32_t track, const char* name, const char* unit);
void vizd_sample(vizd_writer* writer, uint32_t counter, int64_t at_ns, double value);
void vizd_allocation(vizd_writer* writer, uint32_t track, uint64_t key, int64_t at_ns, uint64_t size_bytes,
                     const vizd_allocation_info* info);
void vizd_free(vizd_writer* writer, uint32_t track, uint64_t key, int64_t at_ns);
void vizd_marker(vizd_writer* writer, const char* name, int64_t at_ns, const char* colour);
void vizd_flow(vizd_writer* writer, uint32_t from_track, int64_t from_ns, uint32_t to_track, int64_t to_ns);

#ifdef __cplusplus
}
#endif

#endif
