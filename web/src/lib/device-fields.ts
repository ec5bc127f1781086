// What rows of the server's answers about devices have, and what people are told of it. Written by
// scripts/page-types from server/analysis/answers: change it there.

/** What a table says of a field, and what its numbers are counted in. */
export interface FieldText {
  title: string;
  unit: "text" | "" | "ns" | "more ns" | "%" | "ratio" | "B" | "FLOP" | "B/s" | "FLOP/s";
  hint?: string;
}
type FieldTexts = Record<string, FieldText>;

/** What a table of kernels is of, as the server calls it. */
// prettier-ignore
export const kKernelGroups = ["name", "family", "category", "operator", "shapes", "module", "stream", "device", "rank", "step"] as const;

// prettier-ignore
export interface KernelFields {
  rank: number | string | null;
  device: number | string | null;
  class?: "kernel" | "memcpy" | "memset";
  step?: string | null;
  device_name?: string | null;
  stream?: string | null;
  module?: string | null;
  shapes?: string | null;
  operator?: string | null;
  category?: string | null;
  family?: string | null;
  name?: string;
  communication?: boolean;
  calls?: number | null;
  launches: number;
  total_ns: number;
  mean_ns: number;
  median_ns: number;
  p90_ns: number;
  min_ns: number;
  max_ns: number;
  call_mean_ns?: number | null;
  call_median_ns?: number | null;
  call_p90_ns?: number | null;
  call_min_ns?: number | null;
  call_max_ns?: number | null;
  kernel_launches?: number;
  memcpy_launches?: number;
  memset_launches?: number;
  time_percent: number | null;
  at_stake_ns: number | null;
  bytes_copied: number | null;
  copied_per_s: number | null;
  host_memory: "pinned" | "pageable" | null;
  flop: number | null;
  bytes: number | null;
  attention: "causal" | "all pairs" | "both" | "not told" | null;
  flop_if_causal: number | null;
  flop_known: number;
  bytes_known: number;
  known_of: string | null;
  work_from: string | null;
  flop_per_s: number | null;
  bytes_per_s: number | null;
  precision: "fp64" | "fp32" | "tf32" | "bf16" | "fp16" | "fp8" | "int8" | null;
  peak_flops: number | null;
  peak_bytes_per_s: number | null;
  flop_percent: number | null;
  bytes_percent: number | null;
  achieved_flops_percent: number | null;
  achieved_bandwidth_percent: number | null;
  bound: "compute" | "memory" | null;
}

// prettier-ignore
export const kKernelFields = {
  rank: { title: "Rank", unit: "text", hint: "Of a distributed job" },
  device: { title: "Device", unit: "text", hint: "What the system calls it, or its name" },
  first_device: { title: "Device", unit: "text", hint: "The same, of a rank its first" },
  class: { title: "Class", unit: "text", hint: "A kernel, or a copy or setting of memory" },
  step: { title: "Step", unit: "text", hint: "What it is called" },
  rank_name: { title: "Rank", unit: "text", hint: "What it is called" },
  device_name: { title: "Device", unit: "text", hint: "What it is called" },
  stream: { title: "Stream", unit: "text", hint: "What it is called" },
  module: { title: "Module", unit: "text", hint: "What it is called" },
  shapes: { title: "Shapes", unit: "text", hint: "What it is called" },
  operator: { title: "Operator", unit: "text", hint: "What it is called" },
  category: { title: "Category", unit: "text", hint: "What it is called" },
  family: { title: "Family", unit: "text", hint: "What it is called" },
  name: { title: "Name", unit: "text", hint: "What it is called" },
  communication: { title: "Communication", unit: "", hint: "Whether it moves data between ranks" },
  calls: { title: "Calls", unit: "", hint: "How often it was called and launched work" },
  launches: { title: "Launches", unit: "", hint: "How often it ran" },
  total_ns: { title: "Total", unit: "ns", hint: "Nanoseconds of all launches" },
  mean_ns: { title: "Mean", unit: "ns", hint: "Of a launch" },
  median_ns: { title: "Median", unit: "ns", hint: "Of the middle launch; the mean of the middle two" },
  p90_ns: { title: "p90", unit: "ns", hint: "Nine of ten launches take no longer" },
  p99_ns: { title: "p99", unit: "ns", hint: "99 of 100 launches take no longer" },
  min_ns: { title: "Min", unit: "ns", hint: "Of the shortest launch" },
  max_ns: { title: "Max", unit: "ns", hint: "Of the longest" },
  call_mean_ns: { title: "Mean call", unit: "ns", hint: "Of a call: of all that it launched" },
  call_median_ns: { title: "Median call", unit: "ns", hint: "Of the middle call, of all that each launched; the mean of the middle two" },
  call_p90_ns: { title: "p90 call", unit: "ns", hint: "What nine of ten calls launched takes no longer" },
  call_min_ns: { title: "Min call", unit: "ns", hint: "Of all that the shortest call launched" },
  call_max_ns: { title: "Max call", unit: "ns", hint: "Of all that the longest call launched" },
  kernel_launches: { title: "Kernels", unit: "", hint: "Launches that are kernels" },
  memcpy_launches: { title: "Copies", unit: "", hint: "Launches that are copies of memory" },
  memset_launches: { title: "Sets", unit: "", hint: "Launches that are settings of memory" },
  time_percent: { title: "% of work", unit: "%", hint: "Of the time of all work of its device, or of its rank where rows are ranks" },
  at_stake_ns: { title: "At stake", unit: "ns", hint: "What it would save at 80 % of the limit that binds it: of the launches whose work is known" },
  bytes_copied: { title: "Copied", unit: "B", hint: "Of copies, where each tells" },
  copied_per_s: { title: "Copied/s", unit: "B/s", hint: "Of copies, where each tells" },
  host_memory: { title: "Host memory", unit: "text", hint: "Of a copy from or to the host: whether pages of its memory stay where they are, so that the device copies by itself" },
  flop: { title: "FLOP", unit: "FLOP", hint: "Arithmetic of the launches of which it is known" },
  bytes: { title: "Bytes", unit: "B", hint: "Of the launches of which they are known: each input read once, each output written once" },
  attention: { title: "Attention", unit: "text", hint: "Whether it is causal, which halves its FLOP, or of all pairs; of one that the capture does not tell FLOP are those of all pairs" },
  flop_if_causal: { title: "FLOP if causal", unit: "FLOP", hint: "Where the capture does not tell whether attention is" },
  flop_known: { title: "FLOP known of", unit: "", hint: "Of how many launches, or calls, the arithmetic is known" },
  bytes_known: { title: "Bytes known of", unit: "", hint: "Of how many launches, or calls, the bytes are known" },
  known_of: { title: "Known of", unit: "text", hint: "Of how many launches, or calls, the work is known, where it is not of all: rates are of these alone" },
  work_from: { title: "Work known by", unit: "text", hint: "What its arithmetic and bytes are known by, as docs/figures.md says" },
  flop_per_s: { title: "FLOP/s", unit: "FLOP/s", hint: "Of the launches whose arithmetic is known, by their time" },
  bytes_per_s: { title: "Bytes/s", unit: "B/s", hint: "Of the launches whose bytes are known, by their time" },
  precision: { title: "Precision", unit: "text", hint: "What it computes in" },
  peak_flops: { title: "Peak FLOP/s", unit: "FLOP/s", hint: "The device's, dense, at this precision" },
  peak_bytes_per_s: { title: "Peak bytes/s", unit: "B/s", hint: "Of the device's memory" },
  flop_percent: { title: "% of peak FLOP/s", unit: "%", hint: "What the launches that are known reach of the device's dense peak at this precision" },
  bytes_percent: { title: "% of peak bytes/s", unit: "%", hint: "What the launches that are known reach of the device's memory bandwidth" },
  achieved_flops_percent: { title: "% of peak FLOP/s in all time", unit: "%", hint: "The same by the time of all launches, known or not" },
  achieved_bandwidth_percent: { title: "% of peak bytes/s in all time", unit: "%", hint: "The same by the time of all launches, known or not" },
  bound: { title: "Bound", unit: "text", hint: "Which of the device's limits it would reach first" },
} satisfies FieldTexts;

// prettier-ignore
export interface BreakdownFields {
  rank: number | string | null;
  device: number | string | null;
  stream: number | string | null;
  device_name?: string | null;
  events: number;
  start_ns: number;
  end_ns: number;
  span_ns: number;
  busy_ns: number;
  compute_ns: number;
  communication_ns: number;
  memory_ns: number;
  overlap_ns: number;
  overlap_percent: number | null;
  exposed_communication_ns: number;
  exposed_memory_ns: number;
  idle_ns: number;
  idle_host_ns: number;
  idle_kernel_ns: number;
  idle_other_ns: number;
  gaps: number;
  queue_max: number;
  queue_integral_ns: number;
}

// prettier-ignore
export const kBreakdownFields = {
  rank: { title: "Rank", unit: "text", hint: "Of a distributed job" },
  device: { title: "Device", unit: "text", hint: "What the system calls it, or its name" },
  stream: { title: "Stream", unit: "text", hint: "What the system calls it; null of a whole device" },
  device_name: { title: "Name", unit: "text", hint: "Of a whole device" },
  events: { title: "Events", unit: "", hint: "Pieces of work" },
  start_ns: { title: "Start", unit: "ns", hint: "When its first work began, on the file's own clock" },
  end_ns: { title: "End", unit: "ns", hint: "When its last work ended" },
  span_ns: { title: "Span", unit: "ns", hint: "From its first work to the end of its last" },
  busy_ns: { title: "Busy", unit: "ns", hint: "Time in which anything ran" },
  compute_ns: { title: "Compute", unit: "ns", hint: "Time in which it computed" },
  communication_ns: { title: "Communication", unit: "ns", hint: "Time in which ranks exchanged data" },
  memory_ns: { title: "Memory", unit: "ns", hint: "Time in which copies and sets ran" },
  overlap_ns: { title: "Overlap", unit: "ns", hint: "Time of communication in which it computed too" },
  overlap_percent: { title: "% overlapped", unit: "%", hint: "Of the time of communication, that in which it computed too" },
  exposed_communication_ns: { title: "Exposed", unit: "ns", hint: "Time of communication in which nothing was computed" },
  exposed_memory_ns: { title: "Exposed memory", unit: "ns", hint: "Time in which only copies and sets ran" },
  idle_ns: { title: "Idle", unit: "ns", hint: "Time in which nothing ran" },
  idle_host_ns: { title: "Host late", unit: "ns", hint: "Idle until work that was launched after the idle time began" },
  idle_kernel_ns: { title: "Kernel to kernel", unit: "ns", hint: "Idle for less than 30 µs, unless told otherwise, with the next work launched in time" },
  idle_other_ns: { title: "Other", unit: "ns", hint: "Idle for another reason, or the capture does not tell" },
  gaps: { title: "Gaps", unit: "", hint: "Times in which nothing ran" },
  queue_max: { title: "Queue", unit: "", hint: "The most work launched that had not begun" },
  queue_integral_ns: { title: "Queued", unit: "ns", hint: "How long all work waited after its launch, added up" },
} satisfies FieldTexts;

// prettier-ignore
export interface CallFields {
  parent: number | null;
  kind: "rank" | "module" | "range" | "operator" | "call" | "kernel";
  name: string;
  calls: number;
  launches: number;
  total_ns: number;
  flop: number | null;
  bytes: number | null;
}

// prettier-ignore
export const kCallFields = {
  parent: { title: "Parent", unit: "", hint: "The node above it; null at the top" },
  kind: { title: "Kind", unit: "text", hint: "What it is" },
  name: { title: "Name", unit: "text", hint: "What it is called" },
  calls: { title: "Calls", unit: "", hint: "Events that the node is; of kernels the launches" },
  launches: { title: "Launches", unit: "", hint: "Of the work below it" },
  total_ns: { title: "Total", unit: "ns", hint: "Of the work below it" },
  flop: { title: "FLOP", unit: "FLOP", hint: "Of the work below it, where it is known" },
  bytes: { title: "Bytes", unit: "B", hint: "Of the work below it, where they are known" },
  id: { title: "Id", unit: "", hint: "The node" },
  depth: { title: "Depth", unit: "", hint: "How many nodes are above it" },
  capture: { title: "Capture", unit: "text", hint: "Which capture it is of" },
  share: { title: "% of work", unit: "%", hint: "Of the time of all work on the devices" },
  label: { title: "Name", unit: "text", hint: "Below what is above it" },
} satisfies FieldTexts;

// prettier-ignore
export interface CollectiveFields {
  collective: string;
  name: string;
  group: string | null;
  ranks: number | null;
  bytes: number | null;
  count: number;
  seen_ranks: number;
  transfer_ns: number;
  total_ns: number;
  algorithm_bytes_per_s: number | null;
  bus_bytes_per_s: number | null;
  skew_total_ns: number | null;
  skew_max_ns: number | null;
  last_rank: string | null;
  last_count: number | null;
  last_waited_ns: number | null;
}

// prettier-ignore
export const kCollectiveFields = {
  collective: { title: "Collective", unit: "text", hint: "all_reduce, all_gather, …" },
  name: { title: "Name", unit: "text", hint: "The kernel's family" },
  group: { title: "Group", unit: "text", hint: "The process group's name" },
  ranks: { title: "Ranks", unit: "", hint: "Of the group" },
  bytes: { title: "Size", unit: "B", hint: "Of one: what goes in or comes out on a rank, the larger" },
  count: { title: "Count", unit: "", hint: "How many there were" },
  seen_ranks: { title: "Seen ranks", unit: "", hint: "On how many ranks they are seen" },
  transfer_ns: { title: "Time", unit: "ns", hint: "Of all of them, without waiting for other ranks as far as these are seen" },
  total_ns: { title: "Total", unit: "ns", hint: "Of all ranks' kernels" },
  algorithm_bytes_per_s: { title: "Algorithm", unit: "B/s", hint: "Size by transfer time" },
  bus_bytes_per_s: { title: "Bus", unit: "B/s", hint: "What goes over each rank's links, by NCCL's factors: to be held against the hardware" },
  skew_total_ns: { title: "Waiting", unit: "ns", hint: "How much longer the first rank was in it than the last, added up" },
  skew_max_ns: { title: "Longest wait", unit: "ns", hint: "The same of the one whose ranks differ most" },
  last_rank: { title: "Late rank", unit: "text", hint: "The rank that the others waited for longest" },
  last_count: { title: "Times late", unit: "", hint: "How often they waited for it" },
  last_waited_ns: { title: "Made others wait", unit: "ns", hint: "How much later than the rank in the middle it came, added up" },
  came_last: { title: "Late rank", unit: "text", hint: "The rank that the others waited for longest" },
} satisfies FieldTexts;

// prettier-ignore
export interface StragglerFields {
  rank: string | null;
  waited_ns: number;
  times: number;
  of: number;
  longest_wait_ns: number;
}

// prettier-ignore
export const kStragglerFields = {
  rank: { title: "Rank", unit: "text", hint: "As its capture has it" },
  waited_ns: { title: "Waited for", unit: "ns", hint: "How much later than the rank in the middle it came, added up" },
  times: { title: "Times late", unit: "", hint: "How often it came later than that one" },
  of: { title: "Of", unit: "", hint: "In how many collectives it took part with others" },
  longest_wait_ns: { title: "Longest wait", unit: "ns", hint: "Of the one in which the others waited longest" },
} satisfies FieldTexts;

// prettier-ignore
export interface CollectiveInstanceFields {
  collective: string;
  name: string;
  group: string | null;
  number: number;
  bytes: number | null;
  seen_ranks: number;
  transfer_ns: number;
  bus_bytes_per_s: number | null;
  skew_ns: number | null;
  waiting_ns: number | null;
  first_rank: string | null;
  last_rank: string | null;
  before: string | null;
  idle_before_ns: number | null;
}

// prettier-ignore
export const kCollectiveInstanceFields = {
  collective: { title: "Collective", unit: "text", hint: "all_reduce, all_gather, …" },
  name: { title: "Name", unit: "text", hint: "The kernel's family" },
  group: { title: "Group", unit: "text", hint: "The process group's name" },
  number: { title: "Number", unit: "", hint: "It is that one of its kernel and group, from 0" },
  bytes: { title: "Size", unit: "B", hint: "What goes in or comes out on a rank, the larger" },
  seen_ranks: { title: "Seen ranks", unit: "", hint: "On how many ranks it is seen" },
  transfer_ns: { title: "Time", unit: "ns", hint: "Of the rank that came last: without waiting for others as far as these are seen" },
  bus_bytes_per_s: { title: "Bus", unit: "B/s", hint: "What goes over each rank's links, by NCCL's factors" },
  skew_ns: { title: "Longest wait", unit: "ns", hint: "How much longer the first rank was in it than the last" },
  waiting_ns: { title: "Waiting", unit: "ns", hint: "Of all ranks, added up" },
  first_rank: { title: "First rank", unit: "text", hint: "The one that waited longest" },
  last_rank: { title: "Last rank", unit: "text", hint: "The one that the others waited for; none where two came together" },
  before: { title: "Before it came", unit: "text", hint: "The work that the last rank had done last before" },
  idle_before_ns: { title: "Idle before", unit: "ns", hint: "How long its device did nothing between that work and this" },
} satisfies FieldTexts;

// prettier-ignore
export interface SequenceFields {
  kernels: string[];
  count: number;
  total_ns: number;
  between_ns: number;
  longest_ns: number;
  fusion_candidate: boolean;
}

// prettier-ignore
export const kSequenceFields = {
  kernels: { title: "Kernels", unit: "", hint: "Their names, in order" },
  count: { title: "Count", unit: "", hint: "How often they follow one another" },
  total_ns: { title: "Total", unit: "ns", hint: "Of the kernels" },
  between_ns: { title: "Between", unit: "ns", hint: "Between the kernels, where nothing of the stream ran: what one kernel would save at least" },
  longest_ns: { title: "Longest", unit: "ns", hint: "Of the occurrence that took longest, as a whole" },
  fusion_candidate: { title: "Candidate", unit: "", hint: "For fusion: no product, convolution or attention is among them" },
  capture: { title: "Capture", unit: "text", hint: "Which capture it is of" },
  time_ns: { title: "Time", unit: "ns", hint: "Of the kernels, and between them" },
} satisfies FieldTexts;

// prettier-ignore
export interface PathFields {
  kind: "device" | "between kernels" | "launch" | "host";
  name: string | null;
  parts: number;
  total_ns: number;
  percent: number;
  longest_ns: number;
}

// prettier-ignore
export const kPathFields = {
  kind: { title: "Of", unit: "text", hint: "A device's work; between kernels: waiting from the end of one of the path's kernels to the start of the next, however long; a launch, from the call to the start; or the host" },
  name: { title: "Name", unit: "text", hint: "Null between kernels, and where nothing is recorded" },
  parts: { title: "Parts", unit: "", hint: "How many of the path's parts" },
  total_ns: { title: "Time", unit: "ns", hint: "Nanoseconds of all its parts" },
  percent: { title: "% of path", unit: "%", hint: "Of the time of the whole path" },
  longest_ns: { title: "Longest", unit: "ns", hint: "Of the longest part" },
  rank: { title: "Rank", unit: "text", hint: "Of a distributed job" },
  label: { title: "Name", unit: "text" },
} satisfies FieldTexts;

// prettier-ignore
export interface CompileFields {
  compile: "compiler" | "compile" | "recompile" | "backward compile" | "guards" | "guard check" | "region" | "graph" | "graph break";
  id: string | null;
  count: number;
  total_ns: number;
  max_ns: number;
}

// prettier-ignore
export const kCompileFields = {
  compile: { title: "Torch.compile", unit: "text", hint: "The compiler at work, or what it made" },
  id: { title: "Which", unit: "text", hint: "Of a function the compiler's own id: 2/1 is the third function, compiled once more; of a graph its key; of a graph break the function and the line behind it" },
  count: { title: "Times", unit: "", hint: "How often" },
  total_ns: { title: "Total", unit: "ns", hint: "Of all of them; of the compiler each moment once a thread" },
  max_ns: { title: "Longest", unit: "ns", hint: "Of the longest" },
} satisfies FieldTexts;

// prettier-ignore
export interface HolderFields {
  name: string | null;
  bytes: number;
  share_pct: number;
  grown_bytes: number;
  allocations: number;
  largest_bytes: number;
  modules: string | null;
}

// prettier-ignore
export const kHolderFields = {
  name: { title: "Made in", unit: "text", hint: "What the allocations were made in" },
  bytes: { title: "Bytes", unit: "B", hint: "Of its allocations that are alive then" },
  share_pct: { title: "% of held", unit: "%", hint: "Of all allocations that are alive then" },
  grown_bytes: { title: "Grown", unit: "B", hint: "How much more it holds than before" },
  allocations: { title: "Allocations", unit: "", hint: "That are alive then" },
  largest_bytes: { title: "Largest", unit: "B", hint: "Its largest allocation that is alive then" },
  modules: { title: "Modules", unit: "text", hint: "Those that its largest allocation was made in, the outermost first" },
} satisfies FieldTexts;

// prettier-ignore
export interface ComparisonFields {
  class?: "kernel" | "memcpy" | "memset";
  shapes?: string | null;
  operator?: string | null;
  family?: string;
  name?: string;
  occurrence?: number;
  a_calls?: number | null;
  b_calls?: number | null;
  a_launches: number;
  b_launches: number;
  a_total_ns: number;
  b_total_ns: number;
  a_median_ns: number | null;
  b_median_ns: number | null;
  delta_launches: number;
  delta_total_ns: number;
  total_ratio: number | null;
  median_change_ns: [from: number, to: number] | null;
  state: "added" | "removed" | "both";
}

// prettier-ignore
export const kComparisonFields = {
  class: { title: "Class", unit: "text", hint: "A kernel, or a copy or setting of memory" },
  shapes: { title: "Shapes", unit: "text", hint: "What the kernels of both have in common" },
  operator: { title: "Operator", unit: "text", hint: "What the kernels of both have in common" },
  family: { title: "Family", unit: "text", hint: "What the kernels of both have in common" },
  name: { title: "Name", unit: "text", hint: "What the kernels of both have in common" },
  occurrence: { title: "Occurrence", unit: "", hint: "Its place among the launches of its name in its step, from 1" },
  a_calls: { title: "A calls", unit: "", hint: "How often it was called in A and launched work" },
  b_calls: { title: "B calls", unit: "", hint: "The same in B" },
  a_launches: { title: "A launches", unit: "", hint: "How often it ran in A" },
  b_launches: { title: "B launches", unit: "", hint: "How often it ran in B" },
  a_total_ns: { title: "A total", unit: "ns", hint: "Nanoseconds of all launches in A" },
  b_total_ns: { title: "B total", unit: "ns", hint: "Nanoseconds of all launches in B" },
  a_median_ns: { title: "A median", unit: "ns", hint: "Of the middle launch in A; where rows are of operators, of the middle call: of all that it launched" },
  b_median_ns: { title: "B median", unit: "ns", hint: "The same in B" },
  delta_launches: { title: "More launches", unit: "", hint: "B's less A's" },
  delta_total_ns: { title: "Change", unit: "more ns", hint: "B's time less A's" },
  total_ratio: { title: "B/A", unit: "ratio", hint: "B's time by A's; null where A has none" },
  median_change_ns: { title: "Median change (95 %)", unit: "more ns", hint: "Between what the change of the median lies, with 95 % likelihood: told of five launches, or calls, and more" },
  state: { title: "State", unit: "text", hint: "Whether it was added, removed, or is in both" },
  change_word: { title: "State", unit: "text", hint: "Whether it was added, removed, changed, or takes as long as before" },
  label: { title: "Name", unit: "text" },
} satisfies FieldTexts;
