// GET /api/v1/stacks: where tracks stood, as sampled, by stack; GET /api/v1/called-from/CONTEXT: where the user's
// program asked for a context.
#include <algorithm>
#include <limits>

#include "analysis/figures/stack_table.h"
#include "base/json_writer.h"
#include "http/routes/timeline_request.h"
#include "http/transport/query.h"

namespace vizd {
namespace {

constexpr std::size_t kMostFrames = 256;

void write_share_frames(JsonWriter& json, const Capture& capture, StackId stack) {
  std::vector<Frame> frames = frames_of(capture.stacks, stack);
  if (frames.size() > kMostFrames) frames.resize(kMostFrames);
  json.column("frames", frames, [&](JsonWriter& j, const Frame& frame) {
    j.begin_object().key("function").text(capture.strings.get(frame.function));
    j.key("file").text(capture.strings.get(frame.file)).key("line").number(frame.line).end_object();
  });
}

Response stacks_answer(const Request& request, const Services& services) {
  constexpr std::int64_t kMostStacks = 1000, kUsualStacks = 100;
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Capture& capture = (*loaded)->capture;
  const auto from = parse_number(request, "from", -kMostTime_ns, kMostTime_ns, -kMostTime_ns);
  if (!from) return error_response(from.error());
  const auto to = parse_number(request, "to", *from, kMostTime_ns, kMostTime_ns);
  if (!to) return error_response(to.error());
  const auto lanes = parse_lanes(request, (*loaded)->timeline);
  if (!lanes) return error_response(lanes.error());
  const auto limit = parse_number(request, "limit", 1, kMostStacks, kUsualStacks);
  if (!limit) return error_response(limit.error());
  const std::int64_t start_ns = capture.profile.start_ns;
  const StackTable table =
      stack_table(capture, *lanes, *from + start_ns, *to + start_ns, static_cast<std::size_t>(*limit));
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("samples").number(table.samples).key("weight").real(table.weight);
  json.key("total").number(table.stack_count);
  json.column("stacks", table.stacks, [&](JsonWriter& j, const StackShare& share) {
    j.begin_object().key("samples").number(share.samples).key("weight").real(share.weight);
    write_share_frames(j, capture, share.stack);
    j.end_object();
  });
  json.end_object();
  return Response::json(std::move(text));
}

Response called_from_answer(const Request& request, std::string_view segment, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Capture& capture = (*loaded)->capture;
  const auto context = parse_index(segment, capture.rewrites.contexts.size(), "context");
  if (!context) return error_response(context.error());
  const StackId stack = capture.rewrites.contexts[*context].stack;
  std::vector<Frame> frames;
  if (index(stack) != kNoId) frames = frames_of(capture.stacks, stack);
  frames.resize(std::min(frames.size(), kMostFrames));
  std::string text;
  JsonWriter json(text);
  json.begin_object().column("frames", frames, [&](JsonWriter& j, const Frame& frame) {
    j.begin_object().key("file").text(capture.strings.get(frame.file)).key("line").number(frame.line);
    j.key("name").text(capture.strings.get(frame.function));
    j.key("code").text(capture.strings.get(frame.code)).end_object();
  });
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_stack_routes(Router& router, const Services& services) {
  router.add("/api/v1/stacks", [services](const Request& request, auto) { return stacks_answer(request, services); });
  router.add("/api/v1/called-from/{}", [services](const Request& request, auto arguments) {
    return called_from_answer(request, arguments[0], services);
  });
}

}  // namespace vizd
