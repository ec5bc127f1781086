// Source: a capture that a query is asked of, and what the tables need of others to answer. Refers to the capture,
// which must outlive the query. One thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "analysis/devices/device_analysis.h"
#include "base/budget.h"
#include "base/result.h"
#include "model/capture.h"
#include "rewrite/rule_table.h"
#include "timeline/timeline.h"

namespace vizd {
struct NamedReplays;
struct RecordedRows;
}  // namespace vizd

namespace vizd::sql {

struct Source {
  const Capture* capture = nullptr;
  const Timeline* timeline = nullptr;  // of the capture's profile
  std::string name;                    // as the session has it
  // The effects of the rules, where they are known already or made elsewhere; empty: the query makes it when a column
  // needs it.
  std::function<Result<std::shared_ptr<const RuleTable>>(const Budget&)> rules = {};
  // The work of its devices, likewise.
  std::function<Result<std::shared_ptr<const DeviceAnalysis>>(const Budget&)> devices = {};
  // The replays of graphs in that work, named by what lies beside the capture; empty: by the capture alone.
  std::function<std::shared_ptr<const NamedReplays>(std::shared_ptr<const DeviceAnalysis>)> replays = {};
  // What GPUs' own recorders tell of the runs of programs; empty: nothing is known of that.
  std::function<Result<std::shared_ptr<const RecordedRows>>(const Budget&)> recorded = {};
  // A line of the compiler's source; empty: those that the capture embeds.
  std::function<std::optional<std::string>(const Location&)> source_line = {};
};

}  // namespace vizd::sql
