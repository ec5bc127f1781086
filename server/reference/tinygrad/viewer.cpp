#include "reference/tinygrad/viewer.h"

namespace vizd {

ReferenceViewer reference_viewer(const Capture& capture) {
  if (capture.format == "tinygrad-0.12") return ReferenceViewer::k0_12;
  if (capture.format == "tinygrad-0.13") return ReferenceViewer::k0_13;
  const bool is_newer =
      capture.profile.numbers_launches || (capture.dialect != nullptr && capture.dialect->sends_hidden_ops());
  return is_newer ? ReferenceViewer::k2026 : ReferenceViewer::k2025_09;
}

}  // namespace vizd
