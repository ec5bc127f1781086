// Single figures of a capture by name, for assertions: "kernels.total", "idle.host", "findings.count". Each
// is a row of a table: name, unit, how it is had. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/nothing.h"
#include "base/result.h"
#include "diagnosis/examined.h"

namespace vizd {

enum class MeasureUnit : std::uint8_t { kCount, kTime, kPercent, kBytes };
using Measured = std::variant<double, Absence>;

struct Measure {
  std::string_view name, about;
  MeasureUnit unit;
  // argument: what stands in brackets behind the name, "kernel.total(gemm)"; "" where nothing does.
  Measured (*measure)(const Examined& examined, std::string_view argument);
  bool takes_argument = false;
};
std::span<const Measure> measures();

// "kernels.total < 12ms": a measure, how it is to stand to a number, and that number in the measure's unit: ns,
// percent, bytes.
struct Assertion {
  enum class Relation : std::uint8_t { kLess, kAtMost, kMore, kAtLeast, kEqual, kOther };
  std::string text;
  const Measure* measure = nullptr;
  std::string argument;
  Relation relation = Relation::kLess;
  double limit = 0;
};

// Whether the word is one, whatever is wrong with it: it begins with a name and has a relation. Files hardly do.
bool looks_like_assertion(std::string_view word);
// Errors say what is wrong with it, and which measures there are.
Result<Assertion> parse_assertion(std::string_view text);

struct Verdict {
  bool holds = false;
  std::string reason;  // "it is 1.22 ms", "not recorded: …"
};
Verdict judge(const Assertion& assertion, const Examined& examined);

}  // namespace vizd
