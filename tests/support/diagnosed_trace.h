// Diagnoses a small trace that a test writes (support/analysed_trace.h). Times are microseconds.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "diagnosis/page_place.h"
#include "diagnosis/rules.h"
#include "support/analysed_trace.h"
#include "support/catch.h"

namespace vizd {

// A kernel and the call that launches it, which begins at that time. Microseconds.
inline std::string launched(std::string_view name, int called, int ts, int dur, int number,
                            const std::string& args = "") {
  const std::string correlation = fmt::format(R"("correlation":{})", number);
  return record("cuda_runtime", "cudaLaunchKernel", 1, 1, called, 2, correlation) +
         kernel(name, 7, ts, dur, correlation + (args.empty() ? "" : "," + args));
}

// Many kernels of that length, so far apart, each launched so long before it begins.
inline std::string many(int count, int dur, int apart, int ahead, const std::string& args = "") {
  std::string events;
  for (int i = 0; i < count; ++i) {
    const int at = 1000 + i * (dur + apart);
    events += launched("gemm", at - ahead, at, dur, i + 1, args);
  }
  return events;
}

struct Diagnosed {
  explicit Diagnosed(const std::string& events) : trace(events) { look(); }

  void look(const RuleTable* rules = nullptr, const RecordedRows* recorded = nullptr) {
    const DevicePeaks peaks;
    ExaminedCapture examined{trace.capture, trace.analysis, peaks};
    examined.rules = rules;
    examined.recorded = recorded;
    diagnosis = diagnose(examined, SIZE_MAX);
  }
  const Finding* finding(std::string_view rule) const {
    const auto found = std::ranges::find(diagnosis.findings, rule, &Finding::rule);
    return found == diagnosis.findings.end() ? nullptr : &*found;
  }
  // Each rule finds something or says why not; never both.
  const Absence& absence(std::string_view rule) const {
    INFO(rule);
    const auto found = std::ranges::find(diagnosis.silent, rule, &Silence::rule);
    REQUIRE(found != diagnosis.silent.end());
    CHECK(finding(rule) == nullptr);
    return found->absence;
  }
  std::int64_t cost_ns(std::string_view rule) const {
    INFO(rule);
    const Finding* const found = finding(rule);
    REQUIRE(found != nullptr);
    CHECK(!found->next.empty());
    for (const Evidence& evidence : found->evidence) {
      INFO(evidence.id);
      CHECK(page_place(trace.capture, evidence.id));
    }
    return found->cost_ns.value_or(-1);
  }
  bool is_silent(std::string_view rule, Nothing kind) const { return absence(rule).kind == kind; }

  Analysed trace;
  Diagnosis diagnosis;
};

}  // namespace vizd
