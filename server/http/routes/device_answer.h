// Shared by the routes about devices: the scope of a request, the analysis of a capture's work in it, and links to
// events of its timeline.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/device_analysis.h"
#include "analysis/devices/work_scope.h"
#include "base/json_writer.h"
#include "http/routes/kept_analyses.h"
#include "http/routes/timeline_request.h"

namespace vizd {

// from, to, step, rank, device, kernel: each may be missing. An error names the parameter.
Result<WorkScope> parse_scope(const Request& request);

// The analysis of the work in the scope, kept for as long as memory allows. Errors: the client has left, or it takes
// too long.
Result<std::shared_ptr<const DeviceAnalysis>> device_analysis_of(const Loaded& loaded, const WorkScope& scope,
                                                                 const Request& request, const Services& services);

// A text of a capture and the analysis of its work in a scope, which is kept under its name and the scope. The analysis
// is looked for only where the text is not there.
using MakeAnalysisText = std::function<std::string(const Capture&, const DeviceAnalysis&)>;
Response kept_analysis_json(const Request& request, const Loaded& loaded, std::string_view name, const WorkScope& scope,
                            MakeAnalysisText make, const Services& services);

// Writes what a link to an event of the timeline needs to name. Refers to the capture.
class EventLinks {
 public:
  explicit EventLinks(const Capture& capture);

  const std::string& path(std::uint32_t track) const { return paths_[track]; }
  void write(JsonWriter& json, const ProfileEvent& event) const;

 private:
  const Capture& capture_;
  const std::vector<std::string> paths_;
};

}  // namespace vizd
