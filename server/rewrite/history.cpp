#include "rewrite/history.h"

namespace vizd {
std::size_t History::memory_bytes() const {
  std::size_t text = 0;
  for (const std::string& label : labels) text += sizeof(label) + (label.capacity() > 15 ? label.capacity() + 1 : 0);
  return sizeof(*this) + text + nodes.capacity() * sizeof(nodes[0]) + versions.capacity() * sizeof(versions[0]) +
         edges.capacity() * sizeof(edges[0]) + roots.capacity() * sizeof(roots[0]) +
         errors.capacity() * sizeof(errors[0]);
}

}  // namespace vizd
