#include "http/transport/event_stream.h"

namespace vizd {

EventStream::EventStream(Carrier carrier, Encoding encoding)
    : carrier_(std::move(carrier)), compressor_(make_stream_compressor(encoding)) {}

bool EventStream::send(std::string_view name, std::string_view data) {
  std::string text;
  text.reserve(name.size() + data.size() + 16);
  if (!name.empty()) text.append("event: ").append(name).append("\n");
  text.append("data: ").append(data).append("\n\n");
  return write(text);
}

bool EventStream::heartbeat() { return write(":\n\n"); }

void EventStream::finish() {
  if (!open_ || !compressor_) return;
  compressed_.clear();
  compressor_->finish(compressed_);
  open_ = carrier_.write(compressed_);
}

bool EventStream::write(std::string_view text) {
  if (!open_) return false;
  if (compressor_) {
    compressed_.clear();
    compressor_->append(text, compressed_);
    text = compressed_;
  }
  open_ = carrier_.write(text);
  return open_;
}

}  // namespace vizd
