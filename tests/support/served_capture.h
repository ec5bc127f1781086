// ServedCapture: a capture of tests/data behind the routes, without a socket: for tests of what they answer. The
// session reads it on a thread of its own.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "http/routes/routes.h"
#include "http/transport/event_stream.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "support/wait_until.h"

namespace vizd {

class ServedCapture {
 public:
  explicit ServedCapture(const std::string& path = test_data("tinygrad-2025-09/ramp.rewrites.pkl"))
      : ServedCapture(path, "") {}
  // tool_path: a PATH for compilers, disassemblers and llvm-mca.
  ServedCapture(const std::string& kernels, const std::string& profile, const CompileOptions& compile = {},
                std::string_view tool_path = "")
      : ServedCapture(
            {.sets = named_sets(profile.empty() ? std::vector{kernels} : std::vector{kernels, profile}), .folders = {}},
            compile, tool_path) {}
  explicit ServedCapture(SessionInputs inputs, const CompileOptions& compile = {}, std::string_view tool_path = "")
      : session_(std::move(inputs)), programs_(compile, Toolchain(tool_path)), routes_(make_routes(services())) {}

  Services services() {
    return {session_, sources_, passes_, analyses_, answers_, tables_, programs_, assets_, counters_, heavy_};
  }
  std::shared_ptr<const LoadedCapture> loaded() {
    auto capture = session_.capture("", kTestDeadline);
    REQUIRE(capture);
    return *capture;
  }

  // url: a path and perhaps a query, without anything to be percent-decoded.
  Response answer(std::string_view url, std::vector<Header> headers = {}) const {
    const auto mark = url.find('?');
    Request request{
        .method = "GET", .path = std::string(url.substr(0, mark)), .headers = std::move(headers), .query = {}};
    for (auto from = mark; from != std::string_view::npos;) {
      const auto next = url.find('&', from + 1);
      const std::string_view item = url.substr(from + 1, next - from - 1);
      const auto equals = std::min(item.find('='), item.size());
      request.query.emplace_back(item.substr(0, equals), item.substr(std::min(equals + 1, item.size())));
      from = next;
    }
    return routes_.route(request);
  }
  int status(std::string_view url) const { return answer(url).status; }
  nlohmann::json json(std::string_view url, int status = 200) const {
    INFO(url);
    const Response response = answer(url);
    CHECK(response.status == status);
    REQUIRE(response.body);
    return nlohmann::json::parse(response.body->bytes());
  }

  // The events of a stream, to its end.
  std::vector<std::pair<std::string, nlohmann::json>> events(std::string_view url) const {
    const Response response = answer(url);
    REQUIRE(response.events);
    std::string text;
    EventStream stream({[&](std::string_view bytes) { return text += bytes, true; }, [] { return true; }},
                       Encoding::kIdentity);
    response.events(stream);
    std::vector<std::pair<std::string, nlohmann::json>> result;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t data = text.find("\ndata: ", from), end = text.find("\n\n", from);
      result.emplace_back(text.substr(from + 7, data - from - 7),
                          nlohmann::json::parse(text.substr(data + 7, end - data - 7)));
      from = end + 2;
    }
    return result;
  }

  // CONTEXT/PASS of the pass with the most matches.
  std::string largest_pass() {
    const Rewrites& rewrites = loaded()->capture.rewrites;
    std::uint32_t most = 0;
    std::string place;
    for (std::size_t c = 0; c < rewrites.contexts.size(); ++c) {
      const auto passes = rewrites.passes_of(rewrites.contexts[c]);
      for (std::size_t s = 0; s < passes.size(); ++s) {
        if (passes[s].match_count <= most) continue;
        most = passes[s].match_count;
        place = std::to_string(c) + "/" + std::to_string(s);
      }
    }
    return place;
  }

 private:
  Session session_;
  SourceLines sources_{{.enabled = false, .root = ""}};
  Derived passes_{kPasses}, analyses_{kAnalyses}, answers_{kAnswers}, tables_{kTables};
  ProgramCodes programs_;
  std::optional<Assets> assets_;
  Counters counters_;
  HeavyWork heavy_;
  Router routes_;
};

}  // namespace vizd
