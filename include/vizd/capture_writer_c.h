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
void vizd_link(vizd_writer* writer, const char* name, uint32_t context);
/* binary: the bytes that the device runs, or NULL and 0. */
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

int64_t vizd_now_ns(void);
uint32_t vizd_lane(vizd_writer* writer, const char* name);
uint32_t vizd_grouped_lane(vizd_writer* writer, const vizd_lane_info* info);
void vizd_event(vizd_writer* writer, uint32_t lane, const char* name, int64_t start_ns, int64_t dur_ns,
                const char* info, uint32_t context);
uint32_t vizd_counter(vizd_writer* writer, uint32_t lane, const char* name, const char* unit);
void vizd_sample(vizd_writer* writer, uint32_t counter, int64_t at_ns, double value);
void vizd_allocation(vizd_writer* writer, uint32_t lane, uint64_t key, int64_t at_ns, uint64_t size_bytes,
                     const vizd_allocation_info* info);
void vizd_free(vizd_writer* writer, uint32_t lane, uint64_t key, int64_t at_ns);
void vizd_marker(vizd_writer* writer, const char* name, int64_t at_ns, const char* colour);
void vizd_flow(vizd_writer* writer, uint32_t from_lane, int64_t from_ns, uint32_t to_lane, int64_t to_ns);

#ifdef __cplusplus
}
#endif

#endif
