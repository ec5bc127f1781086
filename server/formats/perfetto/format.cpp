#include "formats/perfetto/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_stream.h"
#include "formats/perfetto/protozero.h"
#include "formats/perfetto/trace_decoder.h"
#include "formats/trace_steps.h"
#include "formats/trace_words.h"
#include "model/profile_extent.h"

namespace vizd::perfetto {
namespace {

// Files of PyTorch's own encoder, which hold less than its Chrome traces.
constexpr std::string_view kOfPyTorch = "perfetto-pytorch";

constexpr Writer kWriter{.about = "a Perfetto trace", .takes_part = true, .write = write};

// What a file is that only its end tells.
struct FileKind {
  bool has_device_work = false, is_of_pytorch = false;
};

Result<FileKind> read_stream(FormatStream& stream, unsigned parts, Capture& capture) {
  TraceDecoder decoder(capture);
  PacketStream packets([&](std::string_view packet) { decoder.take(packet); });
  const std::uint64_t most_bytes = stream.bytes->all_stored_bytes() / parts;
  while (true) {
    const auto part = stream.bytes->next();
    if (part.empty() || !packets.feed(part)) break;
    if (stream.progress) stream.progress(stream.bytes->stored_bytes());
    if (parts > 1 && stream.bytes->stored_bytes() > most_bytes) break;
  }
  if (packets.packet_count() == 0) {
    return Error{ErrorKind::kBadInput, "has no complete packet, so it is not a Perfetto trace; was the file cut?",
                 fmt::format("{}:{}", stream.name, packets.offset())};
  }
  if (packets.is_cut() || stream.bytes->end() != ByteStream::End::kWhole) {
    capture.warnings.push_back(fmt::format(
        "{}:{}: the trace ends in the middle or is damaged from here on; the {} packets before that are shown",
        stream.name, packets.offset(), packets.packet_count()));
  }
  decoder.count_strangers(packets.stranger_count());
  decoder.finish();
  return FileKind{decoder.has_device_work(), decoder.is_of_pytorch()};
}

// Whether it is JSON after line breaks, which are a packet's tag and length too. Packets of such lengths hold control
// characters, or none of the words that an object or list begins with.
bool is_json(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  constexpr std::size_t kLooked_bytes = 256;
  const auto first = text.find_first_not_of(kBlanks);
  const auto second = first == text.npos ? text.npos : text.find_first_not_of(kBlanks, first + 1);
  if (second == text.npos) return false;
  const std::string_view follows = text[first] == '{' ? "\"}" : text[first] == '[' ? "{]" : "";
  return follows.find(text[second]) != follows.npos &&
         std::ranges::none_of(text.substr(second, kLooked_bytes), [&](char c) {
           return static_cast<unsigned char>(c) < ' ' && kBlanks.find(c) == kBlanks.npos;
         });
}

}  // namespace

bool sniff(const FileBeginning& file) {
  const std::span<const std::byte> beginning = file.bytes;
  // A packet of that length, of fields that packets have.
  if (beginning.size() < 4 || beginning[0] != std::byte{0x0A} || is_json(file.text())) return false;
  try {
    protozero::pbf_reader trace(reinterpret_cast<const char*>(beginning.data()), beginning.size());
    trace.next();
    const char* at = reinterpret_cast<const char*>(beginning.data()) + 1;
    const char* const end = reinterpret_cast<const char*>(beginning.data()) + beginning.size();
    const std::uint64_t size = protozero::decode_varint(&at, end);
    if (size == 0) return false;
    protozero::pbf_reader packet(at, std::min<std::uint64_t>(size, static_cast<std::uint64_t>(end - at)));
    constexpr Field kMostField = 1000;
    constexpr int kLeastFields = 2;
    int fields = 0;
    bool has_packet_field = false;
    while (fields < 16 && packet.next()) {
      if (packet.tag() > kMostField) return false;
      for (const Field known :
           {field::packet::kTimestamp, field::packet::kSequence, field::packet::kSequenceFlags,
            field::packet::kTrackEvent, field::packet::kTrackDescriptor, field::packet::kClockSnapshot,
            field::packet::kCompressedPackets, field::packet::kTimestampClock, field::packet::kFtraceEvents})
        has_packet_field = has_packet_field || packet.tag() == known;
      packet.skip();
      ++fields;
    }
    return has_packet_field && fields >= (size < 64 ? 1 : kLeastFields - 1);
  } catch (const protozero::exception&) {
    return beginning.size() >= kSniffedBytes;  // the packet goes on beyond what is seen
  }
}

Result<void> read(OpenSet& set, unsigned parts, Capture& capture) {
  FileKind kind;
  for (std::size_t i = 0; i < set.size(); ++i) {
    auto stream = set.stream(i);
    if (!stream) return std::move(stream).error();
    auto read = read_stream(*stream, parts, capture);
    if (!read) return set.blame(i, std::move(read).error());
    kind.has_device_work = kind.has_device_work || read->has_device_work;
    kind.is_of_pytorch = kind.is_of_pytorch || read->is_of_pytorch;
    set.close(i);
  }
  extend_profile(capture.profile);
  trace::restore_trace(capture);
  if (kind.has_device_work || kind.is_of_pytorch) trace::make_trace(capture);
  for (const Fact& fact : capture.facts) {
    if (fact.is_hidden && capture.strings.get(fact.name) == fact::kTimeOffset_ns)
      trace::add_steps(capture, 0, fact.track);
  }
  capture.has_profile = true;
  capture.format = kind.is_of_pytorch ? kOfPyTorch : kFormat.name;
  return {};
}

constexpr std::string_view kExamples[] = {"golden/perfetto/launches/input/", "golden/perfetto/pytorch/input/"};

constinit const Format kFormat{
    .name = "perfetto",
    .suffix = ".pftrace",
    .hint = {.files = "a Perfetto trace"},
    .examples = kExamples,
    .sniff = sniff,
    .never_repeats = true,
    .read = [](OpenSet& set, Capture& capture) { return read(set, 1, capture); },
    .read_beginning = read,
    .writer = &kWriter,
};

}  // namespace vizd::perfetto
