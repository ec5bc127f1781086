// The numbers of the fields of Perfetto's protocol that vizd reads and writes
// (https://perfetto.dev/docs/reference/trace-packet-proto). Plain constants.
#pragma once

#include <cstdint>

namespace vizd::perfetto {

using Field = std::uint32_t;

namespace field {
inline constexpr Field kPacket = 1;  // of a trace

namespace packet {
inline constexpr Field kFtraceEvents = 1, kProcessTree = 2, kChromeEvents = 5, kClockSnapshot = 6, kTimestamp = 8,
                       kSequence = 10, kTrackEvent = 11, kInternedData = 12, kSequenceFlags = 13, kStateCleared = 41,
                       kCompressedPackets = 50, kTimestampClock = 58, kDefaults = 59, kTrackDescriptor = 60,
                       kZstdPackets = 133;
// vizd's own, among numbers that Perfetto has given to nobody and passes over: the end of a flow as a Chrome trace has
// it, written as a track event of the older kind.
inline constexpr Field kFlowEnd = 7645;
// Of who wrote it and how.
inline constexpr Field kTrustedUid = 3, kPacketDropped = 42, kTrustedPid = 79, kFirstOnSequence = 87, kMachine = 98;
inline constexpr std::uint32_t kFlagStateCleared = 1, kFlagNeedsState = 2;
}  // namespace packet

namespace defaults {
inline constexpr Field kTrackEvent = 11, kTimestampClock = 58;
inline constexpr Field kTrack = 11;  // of its track event
}  // namespace defaults

namespace clock {
inline constexpr Field kClocks = 1;  // of a snapshot
inline constexpr Field kId = 1, kTimestamp = 2, kIsIncremental = 3, kUnitMultiplier = 4;
inline constexpr std::uint32_t kRealtime = 1, kBoottime = 6;
}  // namespace clock

namespace track {
inline constexpr Field kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8, kStaticName = 10,
                       kChildOrdering = 11, kSiblingRank = 12, kAtraceName = 13, kDescription = 14;
inline constexpr std::int32_t kExplicitOrder = 3;
inline constexpr Field kProcessPid = 1, kProcessName = 6;
inline constexpr Field kThreadPid = 1, kThreadTid = 2, kThreadName = 5;
inline constexpr Field kCounterUnit = 3, kCounterMultiplier = 4, kCounterIsIncremental = 5, kCounterUnitName = 6;
}  // namespace track

namespace event {
inline constexpr Field kCategoryIids = 3, kAnnotation = 4, kLegacy = 6, kType = 9, kNameIid = 10, kTrack = 11,
                       kCategories = 22, kName = 23, kCounterValue = 30, kOldFlowIds = 36, kOldTerminatingFlowIds = 42,
                       kDoubleCounterValue = 44, kFlowIds = 47, kTerminatingFlowIds = 48;
inline constexpr Field kDeltaTime_us = 1, kAbsoluteTime_us = 16;
inline constexpr std::uint32_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;
}  // namespace event

namespace legacy {
inline constexpr Field kNameIid = 1, kPhase = 2, kDuration_us = 3, kUnscopedId = 6, kLocalId = 10, kGlobalId = 11,
                       kBindToEnclosing = 12;
}  // namespace legacy

namespace annotation {
inline constexpr Field kNameIid = 1, kBool = 2, kUint = 3, kInt = 4, kDouble = 5, kText = 6, kPointer = 7, kJson = 9,
                       kName = 10, kDictEntries = 11, kArrayValues = 12, kTextIid = 17;
}  // namespace annotation

namespace interned {
inline constexpr Field kCategories = 1, kEventNames = 2, kAnnotationNames = 3, kAnnotationTexts = 29;
inline constexpr Field kIid = 1, kText = 2;
}  // namespace interned

namespace chrome {
inline constexpr Field kMetadata = 2;
inline constexpr Field kName = 1, kText = 2, kBool = 3, kInt = 4, kJson = 5;
}  // namespace chrome

namespace process_tree {
inline constexpr Field kProcesses = 1, kThreads = 2;
inline constexpr Field kPid = 1, kCommandLine = 3;
inline constexpr Field kTid = 1, kThreadName = 2, kThreadGroup = 3;
}  // namespace process_tree

namespace ftrace {
inline constexpr Field kCpu = 1, kEvent = 2, kCompactSched = 4;
inline constexpr Field kTimestamp = 1, kSchedSwitch = 4;
inline constexpr Field kNextCommand = 5, kNextPid = 6, kNextPriority = 7;
inline constexpr Field kSwitchTimes = 1, kSwitchNextPid = 3, kSwitchNextPriority = 4, kNames = 5, kSwitchNameIndex = 6;
}  // namespace ftrace
}  // namespace field

}  // namespace vizd::perfetto
