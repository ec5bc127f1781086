// Writes a capture that was read of a trace as a trace again, record for record: in the order of the file, at its own
// times, by its own processes and threads, with the members and metadata that it had. One thread.
#pragma once

#include "formats/writer.h"
#include "model/capture.h"

namespace vizd::chrome_trace {

// The capture is of a trace, or of several (Profile::is_trace).
void write_trace(const Capture& capture, const ProfilePart& part, const WriteText& write);

// Nanoseconds, and picoseconds beyond them, as microseconds, exactly.
std::string as_us(std::int64_t ns, std::uint32_t ps = 0);

}  // namespace vizd::chrome_trace
