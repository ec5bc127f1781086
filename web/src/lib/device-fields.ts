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
  by_time?: number;
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
  overcounted: "bytes overcounted" | "FLOP overcounted" | "FLOP and bytes overcounted" | null;
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
  at_stake_ns: { title: "Potential saving", unit: "ns", hint: "What it would save at 80 % of the limit that binds it: of the launches whose work is known" },
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
  by_time: { title: "Told by time", unit: "", hint: "Launches whose call the profiler could not place on a thread: their operator is the one that was open then on the one thread that had any; left out where there are none" },
  work_from: { title: "Work known by", unit: "text", hint: "What its arithmetic and bytes are known by, as docs/figures.md says" },
  flop_per_s: { title: "FLOP/s", unit: "FLOP/s", hint: "Of the launches whose arithmetic is known, by their time" },
  bytes_per_s: { title: "Bytes/s", unit: "B/s", hint: "Of the launches whose bytes are known, by their time" },
  precision: { title: "Precision", unit: "text", hint: "What it computes in: its longest launch, where they differ" },
  peak_flops: { title: "Peak FLOP/s", unit: "FLOP/s", hint: "The device's, dense, at this precision; of several, each launch's FLOP at its own" },
  peak_bytes_per_s: { title: "Peak bytes/s", unit: "B/s", hint: "Of the device's memory" },
  flop_percent: { title: "% of peak FLOP/s", unit: "%", hint: "What the launches that are known reach of the device's dense peak, each of that of its precision" },
  bytes_percent: { title: "% of peak bytes/s", unit: "%", hint: "What the launches that are known reach of the device's memory bandwidth" },
  achieved_flops_percent: { title: "% of peak FLOP/s in all time", unit: "%", hint: "The same by the time of all launches, known or not" },
  achieved_bandwidth_percent: { title: "% of peak bytes/s in all time", unit: "%", hint: "The same by the time of all launches, known or not" },
  overcounted: { title: "No rate", unit: "text", hint: "Why a rate is not told: it would be above the device's peak, so the shapes that are known are not what the kernel worked on" },
  bound: { title: "Bound", unit: "text", hint: "Which of the device's limits it would reach first" },
} satisfies FieldTexts;

/** The ways to separate rows of one operator, by the server's names. */
// prettier-ignore
export const kOperatorGroups = ["name", "shape", "module", "line", "stack"] as const;

// prettier-ignore
export interface OperatorFields {
  rank: number | string | null;
  name: string;
  stack?: string[];
  line?: string | null;
  module?: string | null;
  shapes?: string | null;
  kind: "operator" | "annotation";
  calls: number;
  self_ns: number;
  self_percent: number;
  total_ns: number;
  mean_ns: number;
  max_ns: number;
  device_self_ns: number | null;
  device_total_ns: number | null;
  flops: number | null;
  self_bytes: number | null;
  total_bytes: number | null;
  device_self_bytes: number | null;
  device_total_bytes: number | null;
}

// prettier-ignore
export const kOperatorFields = {
  rank: { title: "Rank", unit: "text", hint: "Of a distributed job" },
  name: { title: "Operator", unit: "text", hint: "As recorded; steps of the profiler are one" },
  stack: { title: "Stack", unit: "", hint: "Frames of Python around it, the innermost first" },
  line: { title: "Python line", unit: "text", hint: "The innermost one outside of PyTorch itself" },
  module: { title: "Module", unit: "text", hint: "Of what runs backward that of its forward call" },
  shapes: { title: "Shapes", unit: "text", hint: "Of its inputs, as recorded" },
  kind: { title: "Kind", unit: "text", hint: "An operator, or a range that the program or PyTorch annotates" },
  calls: { title: "Calls", unit: "", hint: "A call that is the only one inside a call of the same name is part of that one" },
  self_ns: { title: "Self", unit: "ns", hint: "On the host, less what operators and annotations inside took" },
  self_percent: { title: "% of self", unit: "%", hint: "Of the self time of all rows of its rank" },
  total_ns: { title: "Total", unit: "ns", hint: "On the host, of all calls" },
  mean_ns: { title: "Mean", unit: "ns", hint: "Of a call on the host" },
  max_ns: { title: "Longest", unit: "ns", hint: "The longest call" },
  device_self_ns: { title: "Device self", unit: "ns", hint: "Of what it launched itself" },
  device_total_ns: { title: "Device total", unit: "ns", hint: "Of what it and all inside it launched" },
  flops: { title: "FLOP", unit: "FLOP", hint: "As the profiler's with_flops counts" },
  self_bytes: { title: "Self memory", unit: "B", hint: "Allocated less freed while it ran and none inside it" },
  total_bytes: { title: "Memory", unit: "B", hint: "Allocated less freed while it ran" },
  device_self_bytes: { title: "Device self memory", unit: "B", hint: "Likewise, of a device's memory" },
  device_total_bytes: { title: "Device memory", unit: "B", hint: "Likewise, of a device's memory" },
} satisfies FieldTexts;

// prettier-ignore
export interface ThreadFields {
  rank: number | string | null;
  thread: string | null;
  events: number;
  start_ns: number;
  span_ns: number;
  compute_ns: number;
  loading_ns: number;
  collecting_ns: number;
  other_ns: number;
  communication_ns: number;
  waiting_ns: number;
  idle_ns: number;
  alone_ns: number | null;
  threads_at_work: number | null;
}

// prettier-ignore
export const kThreadFields = {
  rank: { title: "Rank", unit: "text", hint: "Of a distributed job" },
  thread: { title: "Thread", unit: "text", hint: "Its name; null of all threads of the rank together" },
  events: { title: "Events", unit: "", hint: "That the times are taken from" },
  start_ns: { title: "Start", unit: "ns", hint: "When its first event began, from the profile's start" },
  span_ns: { title: "Span", unit: "ns", hint: "From its first event to the end of its last" },
  compute_ns: { title: "Computing", unit: "ns", hint: "In operators; of all threads, while any was" },
  loading_ns: { title: "Loading", unit: "ns", hint: "In PyTorch's data loader; of all threads, while none computed" },
  collecting_ns: { title: "Collecting garbage", unit: "ns", hint: "In Python's collector; of all threads, while none of the above" },
  other_ns: { title: "Other code", unit: "ns", hint: "In Python or annotated ranges around these; of all threads, while none of the above" },
  communication_ns: { title: "Communication", unit: "ns", hint: "In collectives of gloo, MPI or another library; of all threads, while none of the above" },
  waiting_ns: { title: "Waiting", unit: "ns", hint: "For a lock, a time or another thread; of all threads, while none of the above" },
  idle_ns: { title: "No event", unit: "ns", hint: "In no event: idle, or nothing of it was recorded" },
  alone_ns: { title: "Alone", unit: "ns", hint: "It computed while no other thread did; null where there is one thread" },
  threads_at_work: { title: "Threads at work", unit: "", hint: "On average, not counting communication and waiting; the threads of a parallel operator are not recorded" },
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
  not_recorded_ns?: number | null;
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
  not_recorded_ns: { title: "Not recorded", unit: "ns", hint: "Neither busy nor idle: work ran whose records are lost, as the captures of graphs tell; none where they tell of none" },
  gaps: { title: "Gaps", unit: "", hint: "Times in which nothing ran" },
  queue_max: { title: "Queue", unit: "", hint: "The most work launched that had not begun" },
  queue_integral_ns: { title: "Queued", unit: "ns", hint: "How long all work waited after its launch, added up" },
} satisfies FieldTexts;

// prettier-ignore
export interface CallFields {
  parent: number | null;
  kind: "rank" | "module" | "range" | "operator" | "call" | "kernel";
  name: string;
  told_by: string | null;
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
  told_by: { title: "Told by", unit: "text", hint: "capture: the capture of a replayed graph tells it; null: the trace itself does" },
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
export interface NamingFields {
  record: string;
  kernels: number;
  in_replays: number;
  id: number;
  order: number;
  guessed: number;
  none: number;
  own_operator: number;
  own_stack: number;
  own_none: number;
}

// prettier-ignore
export const kNamingFields = {
  record: { title: "Record", unit: "text", hint: "Which kind of row it is" },
  kernels: { title: "Kernels", unit: "", hint: "Kernels of the trace" },
  in_replays: { title: "In replays", unit: "", hint: "Kernels that a graph's launch started" },
  id: { title: "By id", unit: "", hint: "Pieces of work that an annotation of their node names" },
  order: { title: "By order", unit: "", hint: "Pieces of work that are sure to be one captured launch, by order and name" },
  guessed: { title: "Guessed", unit: "", hint: "Pieces of work whose captured launch is a guess" },
  none: { title: "Unnamed", unit: "", hint: "Pieces of work that no capture names" },
  own_operator: { title: "Own operator", unit: "", hint: "Other kernels, with an operator of their own" },
  own_stack: { title: "Own stack", unit: "", hint: "Other kernels, with Python's frames around their call alone" },
  own_none: { title: "Own none", unit: "", hint: "Other kernels, of which nothing is told" },
} satisfies FieldTexts;

// prettier-ignore
export interface GraphFields {
  record: string;
  graph: number;
  device: number | string | null;
  graph_id: number | null;
  replays: number;
  nodes: number;
  streams: number;
  capture: string | null;
  range: number | null;
  size: number | null;
  mode: string | null;
  candidates: number;
  fit: number | null;
  id: number;
  order: number;
  guessed: number;
  none: number;
}

// prettier-ignore
export const kGraphFields = {
  record: { title: "Record", unit: "text", hint: "Which kind of row it is" },
  graph: { title: "Graph", unit: "", hint: "Its number, from 0" },
  device: { title: "Device", unit: "text", hint: "What the system calls it, or its name" },
  graph_id: { title: "Graph id", unit: "", hint: "The driver's, where the trace has it" },
  replays: { title: "Replays", unit: "", hint: "How often it ran" },
  nodes: { title: "Nodes", unit: "", hint: "Different pieces of work in it" },
  streams: { title: "Streams", unit: "", hint: "Streams that it ran on" },
  capture: { title: "Capture", unit: "text", hint: "The file whose capture it is of, or self for the trace's own" },
  range: { title: "Range", unit: "", hint: "Which capture of the file and its label, from 0" },
  size: { title: "Size", unit: "", hint: "Tokens or requests that it was captured for" },
  mode: { title: "Mode", unit: "text", hint: "The capture's word for it: FULL, PIECEWISE, …" },
  candidates: { title: "Candidates", unit: "", hint: "Captures that fit its first replay equally well" },
  fit: { title: "Fit", unit: "ratio", hint: "How much of the capture and the replay is alike, of the longer one" },
  id: { title: "By id", unit: "", hint: "Pieces of work that an annotation of their node names" },
  order: { title: "By order", unit: "", hint: "Pieces of work that are sure to be one captured launch, by order and name" },
  guessed: { title: "Guessed", unit: "", hint: "Pieces of work whose captured launch is a guess" },
  none: { title: "Unnamed", unit: "", hint: "Pieces of work that no capture names" },
} satisfies FieldTexts;

// prettier-ignore
export interface ReplayFields {
  replay: number;
  graph: number;
  device: number | string | null;
  correlation: number | string | null;
  launch: string | null;
  launch_start_ns: number | null;
  launch_ns: number | null;
  start_ns: number;
  end_ns: number;
  span_ns: number;
  busy_ns: number;
  idle_ns: number;
  not_recorded_ns: number | null;
  total_ns: number;
  launch_to_start_ns: number | null;
  gap_before_ns: number | null;
  work: number;
  kernels: number;
  streams: number;
  step: number | null;
  capture: string | null;
  range: number | null;
  fit: number | null;
  missing: number | null;
  id: number;
  order: number;
  guessed: number;
  none: number;
}

// prettier-ignore
export const kReplayFields = {
  replay: { title: "Replay", unit: "", hint: "Its number, from 0, by the start of its first work" },
  graph: { title: "Graph", unit: "", hint: "The graph's number" },
  device: { title: "Device", unit: "text", hint: "What the system calls it, or its name" },
  correlation: { title: "Correlation", unit: "text", hint: "What ties its work to its launch" },
  launch: { title: "Launch", unit: "text", hint: "The host's call; null where the trace lacks it" },
  launch_start_ns: { title: "Launched", unit: "ns", hint: "When the call began, on the file's own clock" },
  launch_ns: { title: "Launch took", unit: "ns", hint: "How long the call took" },
  start_ns: { title: "Start", unit: "ns", hint: "When its first work began" },
  end_ns: { title: "End", unit: "ns", hint: "When its last work ended" },
  span_ns: { title: "Span", unit: "ns", hint: "From its first work to the end of its last" },
  busy_ns: { title: "Busy", unit: "ns", hint: "Time in which any of its work ran" },
  idle_ns: { title: "Idle", unit: "ns", hint: "Time in which none of it ran, as far as that was recorded" },
  not_recorded_ns: { title: "Not recorded", unit: "ns", hint: "Of that: from the work before to the work after lost records, which is not idleness; null where none is missing" },
  total_ns: { title: "Total", unit: "ns", hint: "Its work's durations, added up" },
  launch_to_start_ns: { title: "Launch to start", unit: "ns", hint: "From the start of the call to its first work" },
  gap_before_ns: { title: "Gap before", unit: "ns", hint: "From the end of all earlier work of the device to its first" },
  work: { title: "Work", unit: "", hint: "Pieces of work" },
  kernels: { title: "Kernels", unit: "", hint: "Pieces of work that are kernels" },
  streams: { title: "Streams", unit: "", hint: "Streams that it ran on" },
  step: { title: "Step", unit: "", hint: "The server's step that launched it" },
  capture: { title: "Capture", unit: "text", hint: "The file whose capture it is of, or self for the trace's own" },
  range: { title: "Range", unit: "", hint: "Which capture of the file and its label, from 0" },
  fit: { title: "Fit", unit: "ratio", hint: "How much of the capture and the replay is alike, of the longer one" },
  missing: { title: "Missing", unit: "", hint: "Captured launches of which there is no work: lost by the profiler" },
  id: { title: "By id", unit: "", hint: "Pieces of work that an annotation of their node names" },
  order: { title: "By order", unit: "", hint: "Pieces of work that are sure to be one captured launch, by order and name" },
  guessed: { title: "Guessed", unit: "", hint: "Pieces of work whose captured launch is a guess" },
  none: { title: "Unnamed", unit: "", hint: "Pieces of work that no capture names" },
} satisfies FieldTexts;

// prettier-ignore
export interface PlaceFields {
  phase: "prefill" | "decode" | "mixed" | "verify" | "draft" | "idle" | "diffusion" | null;
  layer_index: number | null;
  piece: number | null;
  operator: string | null;
  n: number;
  a_name: string | null;
  b_name: string | null;
  a_count: number;
  b_count: number;
  a_mean_ns: number | null;
  b_mean_ns: number | null;
  delta_ns: number | null;
  state: "added" | "removed" | "both";
  same_name: boolean;
}

// prettier-ignore
export const kPlaceFields = {
  phase: { title: "Phase", unit: "text", hint: "Of the steps" },
  layer_index: { title: "Layer", unit: "", hint: "The layer's number" },
  piece: { title: "Piece", unit: "", hint: "Which compiled piece of the model, from 0" },
  operator: { title: "Operator", unit: "text", hint: "The innermost around the launch" },
  n: { title: "n", unit: "", hint: "How many such are before it in its step" },
  a_name: { title: "A name", unit: "text", hint: "Of the first in A" },
  b_name: { title: "B name", unit: "text", hint: "Of the first in B" },
  a_count: { title: "A count", unit: "", hint: "How often A has it" },
  b_count: { title: "B count", unit: "", hint: "How often B has it" },
  a_mean_ns: { title: "A mean", unit: "ns", hint: "Of a time in A" },
  b_mean_ns: { title: "B mean", unit: "ns", hint: "Of a time in B" },
  delta_ns: { title: "Change", unit: "more ns", hint: "B's mean less A's" },
  state: { title: "State", unit: "text", hint: "Whether it was added, removed, or is in both" },
  same_name: { title: "Same name", unit: "", hint: "Whether the first of both have one name" },
} satisfies FieldTexts;

// prettier-ignore
export interface NodeFields {
  graph: number;
  node: number;
  node_id: number | null;
  class: "kernel" | "memcpy" | "memset";
  name: string;
  stream: number | string | null;
  found: "none" | "guessed" | "order" | "id";
  label: string | null;
  launch_index: number | null;
  operator: string | null;
  operators: string[] | null;
  module: string | null;
  layer: string | null;
  layer_index: number | null;
  piece: number | null;
  stack: string[] | null;
  count: number;
  total_ns: number;
  mean_ns: number;
  median_ns: number;
  p99_ns: number;
  min_ns: number;
  max_ns: number;
  slowest_replay: number;
  flop: number | null;
  bytes: number | null;
}

// prettier-ignore
export const kNodeFields = {
  graph: { title: "Graph", unit: "", hint: "The graph's number" },
  node: { title: "Node", unit: "", hint: "Its number in the graph, in the order of capture" },
  node_id: { title: "Node id", unit: "", hint: "The driver's: the graph's id times 2^32, and its own" },
  class: { title: "Class", unit: "text", hint: "A kernel, or a copy or setting of memory" },
  name: { title: "Name", unit: "text", hint: "Its name in its first replay" },
  stream: { title: "Stream", unit: "text", hint: "What the system calls it" },
  found: { title: "Found", unit: "text", hint: "How it was named: the surest over its replays" },
  label: { title: "Label", unit: "text", hint: "The name that an annotation has for it" },
  launch_index: { title: "Launch", unit: "", hint: "Which captured launch it is, from 0" },
  operator: { title: "Operator", unit: "text", hint: "The innermost around its captured launch" },
  operators: { title: "Operators", unit: "", hint: "Those around its captured launch, the outermost first" },
  module: { title: "Module", unit: "text", hint: "The modules around its captured launch, or the annotation's" },
  layer: { title: "Layer", unit: "text", hint: "The layer or block among them" },
  layer_index: { title: "Layer", unit: "", hint: "The layer's number" },
  piece: { title: "Piece", unit: "", hint: "Which compiled piece of the model, from 0" },
  stack: { title: "Stack", unit: "", hint: "Python's frames around its captured launch, the outermost first" },
  count: { title: "Replays", unit: "", hint: "How often it ran" },
  total_ns: { title: "Total", unit: "ns", hint: "In all replays" },
  mean_ns: { title: "Mean", unit: "ns", hint: "Of a replay" },
  median_ns: { title: "Median", unit: "ns", hint: "Of the middle replay; the mean of the middle two" },
  p99_ns: { title: "p99", unit: "ns", hint: "In 99 of 100 replays it takes no longer" },
  min_ns: { title: "Min", unit: "ns", hint: "In its shortest replay" },
  max_ns: { title: "Max", unit: "ns", hint: "In its longest" },
  slowest_replay: { title: "Slowest", unit: "", hint: "The replay in which it took longest; the first of equals" },
  flop: { title: "FLOP", unit: "FLOP", hint: "A replay's: its share of the captured operator's" },
  bytes: { title: "Bytes", unit: "B", hint: "A replay's: its share of the captured operator's" },
} satisfies FieldTexts;

// prettier-ignore
export interface ServerStepFields {
  record: string;
  step: number;
  name: string;
  pid: number | string | null;
  tid: number | string | null;
  spelling: string;
  phase: "prefill" | "decode" | "mixed" | "verify" | "draft" | "idle" | "diffusion" | null;
  requests: number | null;
  padded: number | null;
  tokens: number | null;
  context_requests: number | null;
  context_tokens: number | null;
  context_kv: number | null;
  context_sqsq: number | null;
  context_sqsk: number | null;
  generation_requests: number | null;
  generation_tokens: number | null;
  generation_kv: number | null;
  generation_sqsq: number | null;
  generation_sqsk: number | null;
  draft_tokens: number | null;
  start_ns: number;
  host_ns: number;
  replays: number;
  work: number;
  kernels: number;
  device_start_ns: number | null;
  device_end_ns: number | null;
  device_span_ns: number | null;
  busy_ns: number | null;
  total_ns: number;
  replay_total_ns: number;
  period_ns: number | null;
  tokens_per_s: number | null;
}

// prettier-ignore
export const kServerStepFields = {
  record: { title: "Record", unit: "text", hint: "Which kind of row it is" },
  step: { title: "Step", unit: "", hint: "Its number, from 0" },
  name: { title: "Name", unit: "text", hint: "As the server spells it" },
  pid: { title: "Process", unit: "text", hint: "The host's process" },
  tid: { title: "Thread", unit: "text", hint: "The host's thread" },
  spelling: { title: "Spelled as", unit: "text", hint: "Whose way to name steps it is: SGLang takes vLLM's where it tells sums" },
  phase: { title: "Phase", unit: "text", hint: "What the server did in it" },
  requests: { title: "Requests", unit: "", hint: "That it serves" },
  padded: { title: "Padded", unit: "", hint: "Requests that its graph is for" },
  tokens: { title: "Tokens", unit: "", hint: "New tokens of all requests" },
  context_requests: { title: "Prefills", unit: "", hint: "Requests in prefill" },
  context_tokens: { title: "Prefill tokens", unit: "", hint: "Their new tokens" },
  context_kv: { title: "Prefill KV", unit: "", hint: "Their tokens in the cache" },
  context_sqsq: { title: "Prefill N_Q²", unit: "", hint: "New tokens squared, added up" },
  context_sqsk: { title: "Prefill N_Q N_KV", unit: "", hint: "New tokens by those in the cache, added up" },
  generation_requests: { title: "Decodes", unit: "", hint: "Requests in decode" },
  generation_tokens: { title: "Decode tokens", unit: "", hint: "Their new tokens" },
  generation_kv: { title: "Decode KV", unit: "", hint: "Their tokens in the cache" },
  generation_sqsq: { title: "Decode N_Q²", unit: "", hint: "New tokens squared, added up" },
  generation_sqsk: { title: "Decode N_Q N_KV", unit: "", hint: "New tokens by those in the cache, added up" },
  draft_tokens: { title: "Draft tokens", unit: "", hint: "Of speculation" },
  start_ns: { title: "Start", unit: "ns", hint: "When the host began it, on the file's own clock" },
  host_ns: { title: "Host", unit: "ns", hint: "How long the host took" },
  replays: { title: "Replays", unit: "", hint: "Of graphs" },
  work: { title: "Work", unit: "", hint: "Pieces of work that it launched" },
  kernels: { title: "Kernels", unit: "", hint: "Kernels among them" },
  device_start_ns: { title: "Device start", unit: "ns", hint: "When its first work began" },
  device_end_ns: { title: "Device end", unit: "ns", hint: "When its last work ended" },
  device_span_ns: { title: "Span", unit: "ns", hint: "From its first work to the end of its last" },
  busy_ns: { title: "Busy", unit: "ns", hint: "Time in which any of its work ran" },
  total_ns: { title: "Total", unit: "ns", hint: "Its work's durations, added up" },
  replay_total_ns: { title: "In replays", unit: "ns", hint: "Those of its replays' work" },
  period_ns: { title: "Period", unit: "ns", hint: "From its first work to that of the next step; of the last its span" },
  tokens_per_s: { title: "Tokens/s", unit: "", hint: "Tokens by period" },
} satisfies FieldTexts;

// prettier-ignore
export interface SteadyFields {
  record: string;
  first_step: number;
  last_step: number;
  steps: number;
  requests_max: number;
  prefill: number;
  decode: number;
  mixed: number;
  verify: number;
  tokens: number | null;
  span_ns: number | null;
  tokens_per_s: number | null;
  decode_period_median_ns: number | null;
}

// prettier-ignore
export const kSteadyFields = {
  record: { title: "Record", unit: "text", hint: "Which kind of row it is" },
  first_step: { title: "First step", unit: "", hint: "Of the steady window" },
  last_step: { title: "Last step", unit: "", hint: "Of the steady window" },
  steps: { title: "Steps", unit: "", hint: "That serve requests" },
  requests_max: { title: "Most requests", unit: "", hint: "Of any step" },
  prefill: { title: "Prefill", unit: "", hint: "Steps of that phase" },
  decode: { title: "Decode", unit: "", hint: "Steps of that phase" },
  mixed: { title: "Mixed", unit: "", hint: "Steps of that phase" },
  verify: { title: "Verify", unit: "", hint: "Steps of that phase" },
  tokens: { title: "Tokens", unit: "", hint: "Of all its steps" },
  span_ns: { title: "Span", unit: "ns", hint: "Of the device" },
  tokens_per_s: { title: "Tokens/s", unit: "", hint: "Tokens by span" },
  decode_period_median_ns: { title: "Decode period", unit: "ns", hint: "Of the middle decode step" },
} satisfies FieldTexts;

// prettier-ignore
export interface LayerKindFields {
  phase: "prefill" | "decode" | "mixed" | "verify" | "draft" | "idle" | "diffusion" | null;
  layer: string | null;
  layer_index: number | null;
  piece: number | null;
  work: number;
  total_ns: number;
  steps: number;
  per_step_ns: number | null;
  percent: number | null;
  kind: "attention" | "mlp" | "norm" | "routing" | "other";
}

// prettier-ignore
export const kLayerKindFields = {
  phase: { title: "Phase", unit: "text", hint: "Of the steps; null: work of no step" },
  layer: { title: "Layer", unit: "text", hint: "The layer or block of the model" },
  layer_index: { title: "Number", unit: "", hint: "The layer's" },
  piece: { title: "Piece", unit: "", hint: "Which compiled piece of the model, from 0" },
  work: { title: "Work", unit: "", hint: "Pieces of work" },
  total_ns: { title: "Total", unit: "ns", hint: "Their durations, added up" },
  steps: { title: "Steps", unit: "", hint: "Of that phase" },
  per_step_ns: { title: "Per step", unit: "ns", hint: "Total by steps" },
  percent: { title: "% of phase", unit: "%", hint: "Of the work of that phase" },
  kind: { title: "Kind", unit: "text", hint: "What its modules, operators or kernels are for, by their names" },
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
