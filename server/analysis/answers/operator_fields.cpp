// Fields of operators and annotated ranges of the host, and of its threads.
#include "analysis/answers/device_answers.h"
#include "analysis/answers/field_values.h"

namespace vizd {
namespace {

using enum Unit;

constexpr std::string_view kCallKinds[] = {"operator", "annotation"};

// The column that separates rows of one name.
FieldInfo group_field(OperatorGroup group) {
  const std::string_view key = operator_key(group);
  switch (group) {
    case OperatorGroup::kShape:
      return text_field(key, "shapes", "Of its inputs, as recorded").or_null("(not recorded)");
    case OperatorGroup::kModule:
      return text_field(key, "module", "Of what runs backward that of its forward call").or_null("(none)");
    case OperatorGroup::kStack:
      return FieldInfo{key, "stack", FieldKind::kTexts, "Frames of Python around it, the innermost first"};
    default:
      return text_field(key, "Python line", "The innermost one outside of PyTorch itself").or_null("(none)");
  }
}

FieldValue group_value(const OperatorLine& line) {
  if (line.group == OperatorGroup::kStack) return Texts(line.row.stack.begin(), line.row.stack.end());
  return field_value(line.row.group);
}

}  // namespace

std::string_view operator_key(OperatorGroup group) {
  constexpr std::string_view kKeys[] = {"", "shapes", "module", "line", "stack"};
  return kKeys[static_cast<std::size_t>(group)];
}

Fields<OperatorLine> operator_fields(OperatorGroup group) {
  using L = OperatorLine;
  using R = OperatorRow;
  Fields<L> fields{
      {number_field("rank", "rank", "Of a distributed job"),
       [](const L& l) { return system_number(l.row.rank, l.capture.strings); }},
      {text_field("name", "operator", "As recorded; steps of the profiler are one"), &R::name},
      {text_field("kind", "kind", "An operator, or a range that the program or PyTorch annotates").one_of(kCallKinds),
       [](const L& l) { return kCallKinds[l.row.is_operator ? 0 : 1]; }},
      {count_field("calls", "calls", "A call that is the only one inside a call of the same name is part of that one"),
       &R::calls},
      {time_field("self_ns", "self", "On the host, less what operators and annotations inside took"), &R::self_ns},
      {real_field("self_percent", "% of self", kPercent, "Of the self time of all rows of its rank"), &R::self_percent},
      {time_field("total_ns", "total", "On the host, of all calls"), &R::total_ns},
      {real_field("mean_ns", "mean", kNanoseconds, "Of a call on the host"),
       [](const L& l) {
         return l.row.calls == 0 ? 0 : static_cast<double>(l.row.total_ns) / static_cast<double>(l.row.calls);
       }},
      {time_field("max_ns", "longest", "The longest call"), &R::max_ns},
      {time_field("device_self_ns", "device self", "Of what it launched itself").or_null(), &R::device_self_ns},
      {time_field("device_total_ns", "device total", "Of what it and all inside it launched").or_null(),
       &R::device_total_ns},
      {amount_field("flops", "FLOP", kFlop, "As the profiler's with_flops counts").or_null(), &R::flop},
      {count_field("self_bytes", "self memory", "Allocated less freed while it ran and none inside it", kBytes)
           .or_null(),
       &R::self_bytes},
      {count_field("total_bytes", "memory", "Allocated less freed while it ran", kBytes).or_null(), &R::bytes},
      {count_field("device_self_bytes", "device self memory", "Likewise, of a device's memory", kBytes).or_null(),
       &R::device_self_bytes},
      {count_field("device_total_bytes", "device memory", "Likewise, of a device's memory", kBytes).or_null(),
       &R::device_bytes},
  };
  if (group != OperatorGroup::kName) fields.insert(fields.begin() + 2, Field<L>{group_field(group), group_value});
  return fields;
}

Fields<ThreadLine> thread_fields() {
  using L = ThreadLine;
  using R = ThreadTime;
  const auto part = [](std::string_view name, std::string_view title, std::string_view about, Doing doing) {
    return Field<L>{time_field(name, title, about).part_of("span_ns"), [doing](const L& l) { return l.row.of(doing); }};
  };
  return {
      {number_field("rank", "rank", "Of a distributed job"),
       [](const L& l) { return system_number(l.row.rank, l.capture.strings); }},
      {text_field("thread", "thread", "Its name; null of all threads of the rank together").or_null("all"),
       [](const L& l) {
         if (l.row.track == kNoId) return FieldValue();
         return field_value(l.capture.strings.get(l.capture.profile.tracks[l.row.track].name));
       }},
      {count_field("events", "events", "That the times are taken from"), &R::events},
      {time_field("start_ns", "start", "When its first event began, from the profile's start"),
       [](const L& l) { return l.row.start_ns - l.capture.profile.start_ns; }},
      {time_field("span_ns", "span", "From its first event to the end of its last"), &R::span_ns},
      part("compute_ns", "computing", "In operators; of all threads, while any was", Doing::kComputing),
      part("loading_ns", "loading", "In PyTorch's data loader; of all threads, while none computed", Doing::kLoading),
      part("collecting_ns", "collecting garbage", "In Python's collector; of all threads, while none of the above",
           Doing::kCollecting),
      part("other_ns", "other code",
           "In Python or annotated ranges around these; of all threads, while none of the above", Doing::kOther),
      part("communication_ns", "communication",
           "In collectives of gloo, MPI or another library; of all threads, while none of the above",
           Doing::kCommunicating),
      part("waiting_ns", "waiting", "For a lock, a time or another thread; of all threads, while none of the above",
           Doing::kWaiting),
      {time_field("idle_ns", "no event", "In no event: idle, or nothing of it was recorded").part_of("span_ns"),
       &R::idle_ns},
      {time_field("alone_ns", "alone", "It computed while no other thread did; null where there is one thread")
           .or_null(),
       &R::alone_ns},
      {real_field(
           "threads_at_work", "threads at work", Unit::kNone,
           "On average, not counting communication and waiting; the threads of a parallel operator are not recorded")
           .or_null(),
       &R::threads_at_work},
  };
}

}  // namespace vizd
