// The rows of kernel tables, breakdowns and comparisons as JSON objects: the same on the command line and over HTTP.
// Times are whole nanoseconds; what does not exist is null. One thread a writer.
#pragma once

#include <functional>

#include "analysis/devices/device_breakdown.h"
#include "analysis/devices/kernel_comparison.h"
#include "analysis/devices/kernel_table.h"
#include "base/json_writer.h"

namespace vizd {

// As the capture has it, or null.
void write_file_value(JsonWriter& json, const FileValue& value, const StringTable& strings);

// write_more: what else stands in the object.
using WriteMore = std::function<void(JsonWriter&)>;
void write_kernel_row(JsonWriter& json, const Capture& capture, const DeviceWork& work, const KernelRow& row,
                      KernelGroup group, const WriteMore& write_more = {});
void write_breakdown(JsonWriter& json, const Capture& capture, const DeviceWork& work, const DeviceBreakdown& row,
                     const WriteMore& write_more = {});
void write_compared_kernel(JsonWriter& json, const ComparedKernel& row, KernelJoin join);

// "kernel", "memcpy", "memset".
std::string_view work_class_name(trace::Work work);
// "host", "kernel", "other".
std::string_view idle_cause_name(IdleCause cause);

}  // namespace vizd
