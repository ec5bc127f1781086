// GET /api/v1/diagnosis: what cost the most time, as `vizd diagnose` tells it.
#include "base/json_writer.h"
#include "derived/recorded_rows.h"
#include "diagnosis/diagnosis_json.h"
#include "diagnosis/rules.h"
#include "http/routes/capture_rules.h"
#include "http/routes/device_answer.h"
#include "http/routes/routes.h"

namespace vizd {
namespace {

// A capture with more is replayed only for who asks for its rules.
constexpr std::size_t kMostReplayed = 20'000;

Response diagnosis_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const auto scope = parse_scope(request);
  if (!scope) return error_response(scope.error());
  const auto make = [of = *loaded, scope = *scope, services](const Capture& capture, const DeviceAnalysis& analysis) {
    const DevicePeaks peaks = services.peaks == nullptr ? DevicePeaks() : *services.peaks;
    ExaminedCapture examined{capture, analysis, peaks, scope};
    std::shared_ptr<const RuleTable> rules;
    if (capture.has_rewrites) {
      examined.without_rules = {Nothing::kNotAsked, "there are too many rewrites to replay them here",
                                "open the view Rules, or run vizd diagnose"};
      if (capture.rewrites.matches.size() <= kMostReplayed) {
        const auto table = rules_of(of, services).wait(kAnswerPatience);
        if (table) rules = *table;
        if (!table) examined.without_rules = {Nothing::kNotAsked, table.error().text(), ""};
      }
    }
    examined.rules = rules.get();
    const auto recorded = recorded_rows(capture, Budget({}, kAnswerPatience));
    if (recorded) examined.recorded = recorded->get();
    if (!recorded) examined.without_recorded = {Nothing::kNotAsked, recorded.error().text(), "run vizd diagnose"};
    std::string text;
    JsonWriter json(text);
    write_diagnosis(json, capture, diagnose(examined));
    return text;
  };
  return kept_analysis_json(request, *loaded, "diagnosis" + scope->key(), scope->of_breakdowns(), make, services);
}

}  // namespace

void add_diagnosis_routes(Router& router, const Services& services) {
  router.add("/api/v1/diagnosis",
             [services](const Request& request, auto) { return diagnosis_answer(request, services); });
}

}  // namespace vizd
