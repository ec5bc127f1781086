// GET /api/v1/values and /api/v1/values/N: what a program logged as it ran, and how far that is from a reference.
#include <fmt/core.h>

#include <limits>

#include "http/routes/routes.h"
#include "http/transport/query.h"
#include "reference/logged_values.h"

namespace vizd {
namespace {

Result<std::shared_ptr<const LoadedCapture>> other_capture(const Request& request, std::string_view id,
                                                           const Services& services) {
  Request other = request;
  std::erase_if(other.query, [](const auto& parameter) { return parameter.first == "capture"; });
  other.query.emplace_back("capture", std::string(id));
  return capture_of(other, services);
}

// Made once for all that ask, in the background: the files are read again for it.
Response answer(const Request& request, ValueQuestion question, std::string name, const Services& services) {
  const auto loaded = capture_of(request, services);
  if (!loaded) return error_response(loaded.error());
  constexpr std::int64_t kMostIterations = std::numeric_limits<std::uint32_t>::max();
  const auto iteration = parse_number(request, "iteration", 0, kMostIterations, 0);
  if (!iteration) return error_response(iteration.error());
  question.iteration = static_cast<std::size_t>(*iteration);
  name += fmt::format(" in {}", *iteration);
  std::shared_ptr<const LoadedCapture> against;
  if (const auto id = request.parameter("against")) {
    auto found = other_capture(request, *id, services);
    if (!found) return error_response(found.error());
    against = *std::move(found);
    // A run's later iterations are compared with its first.
    question.reference_iteration = against->id == (*loaded)->id ? 0 : question.iteration;
    name += fmt::format(" against {} {}", against->id, against->revision);
  }
  const auto make = [held = *loaded, question, against](const ReportProgress&,
                                                        std::stop_token) -> Result<std::shared_ptr<const ValueAnswer>> {
    auto found = value_answer(*held, question, against.get());
    if (!found) return std::move(found).error();
    return std::make_shared<const ValueAnswer>(std::move(*found));
  };
  const auto text = wait_for(services.answers.get<ValueAnswer>(*loaded, name, make), request, services);
  return text ? Response::json((*text)->json) : error_response(text.error());
}

}  // namespace

void add_value_routes(Router& router, const Services& services) {
  router.add("/api/v1/values",
             [services](const Request& request, auto) { return answer(request, {}, "values", services); });
  router.add("/api/v1/values/{}", [services](const Request& request, auto arguments) {
    ValueQuestion question;
    const auto place = parse_index(arguments[0], std::numeric_limits<std::uint32_t>::max(), "value");
    if (!place) return error_response(place.error());
    const auto slice = parse_number(request, "slice", 0, std::numeric_limits<std::int64_t>::max(), 0);
    if (!slice) return error_response(slice.error());
    question.value = *place;
    question.slice = static_cast<std::uint64_t>(*slice);
    return answer(request, question, "value " + std::to_string(*place) + "." + std::to_string(*slice), services);
  });
}

}  // namespace vizd
