// EventStream: one client's open stream of server-sent events, compressed event by event where the client can undo it.
// Belongs to the thread of its connection.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "http/transport/encoding.h"

namespace vizd {

class EventStream {
 public:
  // Carries the bytes: write returns false once the client is gone, is_open tells whether it still listens.
  struct Carrier {
    std::function<bool(std::string_view)> write;
    std::function<bool()> is_open;
  };

  EventStream(Carrier carrier, Encoding encoding);

  // Sends an event at once. data is one line; an empty name sends the data alone, as the reference does.
  // Returns false once the client is gone or the server ends: then the handler should return.
  bool send(std::string_view name, std::string_view data);
  // A comment line: keeps tunnels from closing a quiet stream, and finds out that a client is gone.
  bool heartbeat();
  // Whether anyone still listens. Costs a look at the socket.
  bool is_open() const { return open_ && carrier_.is_open(); }

  // Ends what compression began. Called once, by the server, after the handler.
  void finish();

 private:
  bool write(std::string_view text);

  Carrier carrier_;
  std::unique_ptr<StreamCompressor> compressor_;
  std::string compressed_;
  bool open_ = true;
};

}  // namespace vizd
