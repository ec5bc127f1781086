/* Records a pass told by whole graphs, and events, one with arguments, from C. */
#include <vizd/capture_writer_c.h>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  vizd_writer* writer = vizd_open(argv[1], 0);
  vizd_op_info info = {0};
  info.context = VIZD_NONE;
  info.dtype = "int";
  info.kind = vizd_kind(writer, "LEAF", "#c0f0c0", 0);
  const uint32_t leaf = vizd_op(writer, &info, NULL, 0);
  info.kind = vizd_kind(writer, "ADD", NULL, 0);
  const uint32_t sources[] = {leaf, leaf};
  const uint32_t twice = vizd_op(writer, &info, sources, 2);
  info.kind = vizd_kind(writer, "SHL", NULL, 0);
  info.argument = "1";
  const uint32_t shifted = vizd_op(writer, &info, sources, 1);
  const uint32_t here = vizd_location(writer, __FILE__, __LINE__, NULL);
  const uint32_t pass = vizd_graph_pass(writer, vizd_context(writer, "main"), "double", twice, here, 0);
  vizd_graph(writer, pass, shifted, here, -1);
  vizd_program(writer, 0, "main", "return x << 1;", "host", "\x48\x01\xc0\xc3", 4);
  const vizd_lane_info lane = {.name = "host", .process = "record_c"};
  const vizd_allocation_info buffer = {.category = "scratch", .address = VIZD_NO_ADDRESS, .context = VIZD_NONE};
  vizd_allocation(writer, vizd_grouped_lane(writer, &lane), 1, 0, 64, &buffer);
  vizd_event(writer, vizd_lane(writer, "host"), "compile", 0, 1000, NULL, VIZD_NONE);
  const vizd_track_info track = {.name = "main", .kind = "thread", .parent = VIZD_NONE};
  const vizd_event_argument arguments[] = {{vizd_argument(writer, "memory", "B", VIZD_INTEGER), vizd_integer(64)},
                                           {vizd_argument(writer, "phase", NULL, VIZD_TEXT), vizd_text("link")}};
  const vizd_event_info link = {
      .category = "link", .context = VIZD_NONE, .arguments = arguments, .argument_count = 2};
  vizd_detailed_event(writer, vizd_track(writer, &track), "link", 1000, 500, &link);
  vizd_fact(writer, NULL, "speed", vizd_real(1.5), "GB/s");
  return vizd_close(writer) == 0 ? 0 : 1;
}
