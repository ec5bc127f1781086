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
                       kProcessDescriptor = 43, kThreadDescriptor = 44, kCompressedPackets = 50, kGpuCounters = 52,
                       kGpuStage = 53, kTimestampClock = 58, kDefaults = 59, kTrackDescriptor = 60, kZstdPackets = 133;
// vizd's own, among numbers that Perfetto has given to nobody and passes over: the end of a flow as a Chrome trace has
// it, written as a track event of the older kind.
inline constexpr Field kFlowEnd = 7645;
// Fields about who wrote it and how.
inline constexpr Field kTrustedUid = 3, kPacketDropped = 42, kTrustedPid = 79, kFirstOnSequence = 87, kMachine = 98;
inline constexpr std::uint32_t kFlagStateCleared = 1, kFlagNeedsState = 2;
}  // namespace packet

namespace defaults {
inline constexpr Field kTrackEvent = 11, kTimestampClock = 58;
// Fields of its track event.
inline constexpr Field kTrack = 11, kExtraCounterTracks = 31, kExtraDoubleCounterTracks = 45;
}  // namespace defaults

namespace clock {
inline constexpr Field kClocks = 1;  // of a snapshot
inline constexpr Field kId = 1, kTimestamp = 2, kIsIncremental = 3, kUnitMultiplier = 4;
inline constexpr std::uint32_t kRealtime = 1, kMonotonic = 3, kBoottime = 6;
}  // namespace clock

namespace track {
inline constexpr Field kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8, kStaticName = 10,
                       kChildOrdering = 11, kSiblingRank = 12, kAtraceName = 13, kDescription = 14;
inline constexpr std::int32_t kExplicitOrder = 3;
inline constexpr Field kProcessPid = 1, kProcessName = 6;
inline constexpr Field kThreadPid = 1, kThreadTid = 2, kThreadName = 5, kThreadReference_us = 6;
inline constexpr Field kCounterType = 1, kCounterCategories = 2, kCounterUnit = 3, kCounterMultiplier = 4,
                       kCounterIsIncremental = 5, kCounterUnitName = 6;
}  // namespace track

namespace event {
inline constexpr Field kCategoryIids = 3, kAnnotation = 4, kLegacy = 6, kType = 9, kNameIid = 10, kTrack = 11,
                       kExtraCounterValues = 12, kCategories = 22, kName = 23, kCounterValue = 30,
                       kExtraCounterTracks = 31, kOldFlowIds = 36, kOldTerminatingFlowIds = 42,
                       kDoubleCounterValue = 44, kExtraDoubleCounterTracks = 45, kExtraDoubleCounterValues = 46,
                       kFlowIds = 47, kTerminatingFlowIds = 48;
// An extension of PyTorch's: the work of GPUs that the event launched.
inline constexpr Field kLaunches = 3000;
inline constexpr Field kLaunchedStages = 1;  // of that
// vizd's own, which Perfetto passes over: the work of GPUs that leads to the event.
inline constexpr Field kAwaits = 7646;
inline constexpr Field kDeltaTime_us = 1, kAbsoluteTime_us = 16;
inline constexpr std::uint32_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;
}  // namespace event

namespace legacy {
inline constexpr Field kNameIid = 1, kPhase = 2, kDuration_us = 3, kThreadDuration_us = 4, kUnscopedId = 6, kScope = 7,
                       kBindId = 8, kUsesThreadTimes = 9, kLocalId = 10, kGlobalId = 11, kBindToEnclosing = 12,
                       kDirection = 13, kInstantScope = 14, kInstructions = 15;
inline constexpr std::uint32_t kLeadsHere = 1, kLeadsOn = 2;  // bits of the direction
}  // namespace legacy

namespace annotation {
inline constexpr Field kNameIid = 1, kBool = 2, kUint = 3, kInt = 4, kDouble = 5, kText = 6, kPointer = 7, kNested = 8,
                       kJson = 9, kName = 10, kDictEntries = 11, kArrayValues = 12, kTextIid = 17;
}  // namespace annotation

namespace nested {
inline constexpr Field kType = 1, kKeys = 2, kValues = 3, kElements = 4, kInt = 5, kDouble = 6, kBool = 7, kText = 8;
}  // namespace nested

namespace interned {
inline constexpr Field kCategories = 1, kEventNames = 2, kAnnotationNames = 3, kGraphicsContexts = 23, kGpuSpecs = 24,
                       kAnnotationTexts = 29, kGpuCounterSets = 47, kComputeKernels = 1000,
                       kComputeArgumentNames = 1001;
inline constexpr Field kIid = 1, kText = 2;
// Fields that only some of them have.
inline constexpr Field kSpecDescription = 3, kSpecKind = 4, kContextPid = 2, kContextApi = 3, kKernelDemangled = 3,
                       kKernelArch = 4, kKernelArguments = 5, kCounterSet = 2, kCounterSetGpu = 3;
inline constexpr std::int32_t kOfCompute = 2;  // a kind of specification
}  // namespace interned

namespace stage {
inline constexpr Field kEvent = 1, kDuration = 2, kOldQueue = 3, kOldStage = 4, kContext = 5, kExtra = 6, kOldSpecs = 7,
                       kRenderTarget = 8, kRenderPass = 9, kSubmission = 10, kGpu = 11, kCommandBuffer = 12,
                       kQueueIid = 13, kStageIid = 14, kSubpasses = 15, kRenderPassInstance = 16, kName = 17,
                       kWaits = 18, kKernelIid = 19, kNameIid = 20, kLaunch = 21, kLogicalQueue = 22;
inline constexpr Field kExtraName = 1, kExtraValue = 2;
inline constexpr Field kGrid = 1, kWorkgroup = 2, kLaunchArguments = 3;
inline constexpr Field kArgumentNameIid = 1, kArgumentName = 2, kArgumentInt = 3, kArgumentUint = 4,
                       kArgumentDouble = 5, kArgumentText = 6, kArgumentTextIid = 7;
inline constexpr Field kOldQueues = 2, kOldStages = 3, kOldName = 1;
}  // namespace stage

namespace gpu_counter {
inline constexpr Field kDescriptor = 1, kValues = 2, kGpu = 3, kDescriptorIid = 4;
inline constexpr Field kId = 1, kInt = 2, kDouble = 3;  // of a value
inline constexpr Field kSpecs = 1;
inline constexpr Field kSpecId = 1, kSpecName = 2, kSpecNumerator = 7, kSpecDenominator = 8;
}  // namespace gpu_counter

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
