// Fields of what torch.compile did.
#include "analysis/answers/device_answers.h"
#include "analysis/answers/field_values.h"

namespace vizd {

Fields<CompileLine> compile_fields() {
  using L = CompileLine;
  using R = CompileRow;
  return {
      {text_field("compile", "torch.compile", "The compiler at work, or what it made").one_of(kCompileKindNames),
       [](const L& l) { return kCompileKindNames[static_cast<std::size_t>(l.row.kind)]; }},
      {text_field("id", "which",
                  "Of a function the compiler's own id: 2/1 is the third function, compiled once more; of a graph its "
                  "key; of a graph break the function and the line behind it")
           .or_null(),
       [](const L& l) { return text_or_none(l.row.id); }},
      {count_field("count", "times", "How often"), &R::count},
      {time_field("total_ns", "total", "Of all of them; of the compiler each moment once a thread"), &R::total_ns},
      {time_field("max_ns", "longest", "Of the longest"), &R::max_ns},
  };
}

}  // namespace vizd
