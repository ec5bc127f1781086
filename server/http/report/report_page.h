// A report: one HTML file with the page and, packed beside it, the answers that it needs to show a capture, for those
// who cannot run anything where they look. Nothing in it leads to a server, and its own policy lets no request leave.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "http/report/report_packer.h"
#include "http/transport/assets.h"
#include "session/loaded_capture.h"

namespace vizd {

struct ReportOptions {
  std::uint64_t most_bytes = std::uint64_t{32} << 20;  // of the file
  TellReport tell = [](std::string_view, std::uint64_t, std::uint64_t) {};
};

struct PageFile {
  std::string html;
  std::vector<std::string> left_out;  // in words
};

// routes: those of the capture, which lives meanwhile. Errors: the page is not as this program knows it; it has no
// room.
Result<PageFile> make_report(const LoadedCapture& loaded, const Router& routes, const Assets& page,
                             const ReportOptions& options);

}  // namespace vizd
