#include "formats/torch_memory/keys.h"

#include <algorithm>
#include <iterator>

namespace vizd::torch_memory {
namespace {

struct KeyText {
  std::string_view text;
  Key key;
};

constexpr KeyText kKeyTexts[] = {
    {"action", Key::kAction},
    {"active_size", Key::kActiveSize},
    {"addr", Key::kAddr},
    {"address", Key::kAddress},
    {"allocated_size", Key::kAllocatedSize},
    {"blocks", Key::kBlocks},
    {"category", Key::kCategory},
    {"compile_context", Key::kCompileContext},
    {"device", Key::kDevice},
    {"device_free", Key::kDeviceFree},
    {"filename", Key::kFilename},
    {"forward_frames", Key::kForwardFrames},
    {"frames", Key::kFrames},
    {"fx_node_name", Key::kNotKept},
    {"fx_node_op", Key::kNotKept},
    {"fx_node_target", Key::kNotKept},
    {"fx_original_trace", Key::kNotKept},
    {"history", Key::kHistory},
    {"internal_metadata", Key::kNotKept},
    {"is_expandable", Key::kIsExpandable},
    {"line", Key::kLine},
    {"name", Key::kName},
    {"pool_id", Key::kPoolId},
    {"real_size", Key::kRealSize},
    {"requested_size", Key::kRequestedSize},
    {"segment_pool_id", Key::kSegmentPoolId},
    {"segment_type", Key::kSegmentType},
    {"size", Key::kSize},
    {"stage", Key::kStage},
    {"state", Key::kState},
    {"stream", Key::kStream},
    {"time_us", Key::kTimeUs},
    {"total_size", Key::kTotalSize},
    {"user_metadata", Key::kUserMetadata},
};
static_assert(std::ranges::is_sorted(kKeyTexts, {}, &KeyText::text));

}  // namespace

Key key_of(std::string_view text) {
  const auto found = std::ranges::lower_bound(kKeyTexts, text, {}, &KeyText::text);
  return found != std::end(kKeyTexts) && found->text == text ? found->key : Key::kOther;
}

}  // namespace vizd::torch_memory
