// GET /api/v1/compare: what changed from another capture to this one: the verdict, and kernel by kernel.
#include "analysis/answers/answer_json.h"
#include "analysis/answers/device_answers.h"
#include "analysis/answers/verdict_json.h"
#include "http/routes/compared_pair.h"

namespace vizd {
namespace {

Response compare_answer(const Request& request, const Services& services) {
  const auto compared = compared_devices_of(request, services);
  if (!compared) return error_response(compared.error());
  const KernelJoin join = compared->join;
  const auto rows = compare_kernels(compared->a.profile(), compared->b.profile(), join);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("verdict");
  if (const auto verdict = judge_comparison(compared->a.judged(), compared->b.judged(), rows)) {
    write_verdict(json, *verdict);
  } else {
    json.null();
  }
  const auto write_side = [&](std::string_view key, const ScopedSide& side) {
    const Capture& capture = side.loaded->capture;
    const DeviceWork& work = side.broken_down->work;
    json.key(key).begin_object().key("name").text(side.loaded->name);
    json.column("breakdown", make_breakdowns(work, side.options),
                [&, fields = breakdown_fields()](JsonWriter& j, const DeviceBreakdown& row) {
                  write_row(j, fields, {capture, work, row});
                });
    json.end_object();
  };
  write_side("a", compared->a);
  write_side("b", compared->b);
  json.column("rows", rows, [&, fields = comparison_fields(join)](JsonWriter& j, const ComparedKernel& row) {
    write_row(j, fields, {row, join});
  });
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_compare_routes(Router& router, const Services& services) {
  router.add("/api/v1/compare", [services](const Request& request, auto) { return compare_answer(request, services); });
}

}  // namespace vizd
