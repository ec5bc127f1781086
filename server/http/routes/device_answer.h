// Shared by the routes about devices: the analysis of a capture, and links to events of its timeline.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/devices/device_analysis.h"
#include "base/json_writer.h"
#include "http/routes/timeline_request.h"

namespace vizd {

// Asks for it: it is found once a reading of the capture, for all that ask.
Derived::Ticket<DeviceAnalysis> devices_of(const Loaded& loaded, const Services& services);
// Found once a reading of the capture, for all that ask. Errors: the client has left, or it takes too long.
Result<std::shared_ptr<const DeviceAnalysis>> device_analysis_of(const Loaded& loaded, const Request& request,
                                                                 const Services& services);

// A text of a capture and its analysis that is kept. The analysis is looked for only where the text is not there.
using MakeAnalysisText = std::function<std::string(const Capture&, const DeviceAnalysis&)>;
Response kept_analysis_json(const Loaded& loaded, std::string_view name, MakeAnalysisText make,
                            const Services& services);

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
