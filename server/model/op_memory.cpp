#include "model/op_memory.h"

#include "model/capture.h"

namespace vizd {

bool tells_memory(const Capture& capture) {
  if (!capture.has_rewrites || !capture.dialect) return false;
  const auto analysis = capture.dialect->analyse(capture.ops);
  const auto* const memories = dynamic_cast<const TellsMemory*>(analysis.get());
  return memories != nullptr && !memories->memories().empty();
}

}  // namespace vizd
