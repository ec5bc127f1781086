// /metrics: the server's counters as Prometheus reads them, for whoever has the token.
#include <fmt/core.h>

#include "http/routes/routes.h"
#include "http/transport/counters.h"
#include "system/memory.h"
#include "system/process.h"

namespace vizd {
namespace {

void describe_counter(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  out += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

void write_connections(std::string& out, const Counters& counters) {
  describe_counter(out, "vizd_connections", "gauge", "Open connections by what they do.");
  const std::pair<std::string_view, const Counters::Count&> states[] = {{"idle", counters.idle},
                                                                        {"arriving", counters.arriving},
                                                                        {"answering", counters.answering},
                                                                        {"sending", counters.sending},
                                                                        {"closing", counters.closing}};
  for (const auto& [state, count] : states)
    out += fmt::format("vizd_connections{{state=\"{}\"}} {}\n", state, count.load());
  describe_counter(out, "vizd_event_streams", "gauge", "Open streams of server-sent events.");
  out += fmt::format("vizd_event_streams {}\n", counters.event_streams.load());
  const std::pair<std::string_view, const Counters::Count&> ends[] = {{"accepted", counters.accepted},
                                                                      {"closed_for_room", counters.closed_for_room},
                                                                      {"timed_out", counters.timed_out},
                                                                      {"left_early", counters.left_early}};
  describe_counter(out, "vizd_connections_total", "counter", "Connections since the start by what became of them.");
  for (const auto& [event, count] : ends)
    out += fmt::format("vizd_connections_total{{event=\"{}\"}} {}\n", event, count.load());
}

void write_answers(std::string& out, const Counters& counters) {
  describe_counter(out, "vizd_answers_total", "counter", "Answers since the start by the class of their status.");
  for (std::size_t i = 1; i < counters.answers.size(); ++i)
    out += fmt::format("vizd_answers_total{{status=\"{}xx\"}} {}\n", i, counters.answers[i].load());
}

// Writes how much of the process's memory is in use, and how much of that is kept for later questions. The rest of the
// resident memory is code, mapped files, and blocks that the allocator holds for the next time.
void write_memory(std::string& out, const Services& services) {
  if (const auto heap = heap_bytes()) {
    describe_counter(out, "vizd_heap_bytes", "gauge", "Memory that was asked of the allocator and not given back.");
    out += fmt::format("vizd_heap_bytes {}\n", *heap);
  }
  describe_counter(out, "vizd_kept_bytes", "gauge", "Answers that are kept, by their store.");
  const std::pair<std::string_view, Derived&> stores[] = {{"passes", services.passes},
                                                          {"analyses", services.analyses},
                                                          {"answers", services.answers},
                                                          {"tables", services.tables}};
  for (const auto& [store, derived] : stores)
    out += fmt::format("vizd_kept_bytes{{store=\"{}\"}} {}\n", store, derived.kept_bytes());
}

// Nothing where the system does not say.
void write_process(std::string& out) {
  if (const auto resident = resident_bytes()) {
    describe_counter(out, "process_resident_memory_bytes", "gauge", "Memory that the process has now.");
    out += fmt::format("process_resident_memory_bytes {}\n", *resident);
  }
  if (const auto descriptors = open_descriptors()) {
    describe_counter(out, "process_open_fds", "gauge", "Descriptors that the process has open.");
    out += fmt::format("process_open_fds {}\n", *descriptors);
  }
}

}  // namespace

void add_counter_routes(Router& router, const Services& services) {
  router.add("/metrics", [services](const Request&, auto) {
    std::string text;
    write_connections(text, services.counters);
    write_answers(text, services.counters);
    write_memory(text, services);
    write_process(text);
    Response response = Response::text(200, std::move(text));
    response.content_type = "text/plain; version=0.0.4; charset=utf-8";
    return response;
  });
}

}  // namespace vizd
