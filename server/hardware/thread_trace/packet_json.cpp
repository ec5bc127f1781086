#include "hardware/thread_trace/packet_json.h"

#include "hardware/thread_trace/packets.h"

namespace vizd::thread_trace {
namespace {

void write_field(JsonWriter& json, const Packet& packet, const Field& field) {
  const std::uint64_t value = field.of(packet.bits);
  const PacketKind kind = packet.kind();
  json.key(field.name);
  if (field.name == "op") {
    json.text(operation_name(packet.layout, static_cast<std::uint32_t>(value)));
  } else if (field.name == "src") {
    json.text(source_name(kind, value));
  } else {
    json.number(value);
  }
}

void write_packet(JsonWriter& json, const Packet& packet) {
  json.begin_array().text(packet.shape->name).number(packet.at_cycle).begin_object();
  for (const Field& field : packet.shape->fields) {
    if (field.is_there()) write_field(json, packet, field);
  }
  const bool is_wave = packet.kind() == PacketKind::kWaveStart || packet.kind() == PacketKind::kWaveEnd;
  if (is_wave && packet.layout != Layout::kCdna) json.key("cu").number(packet.compute_unit());
  if (packet.kind() == PacketKind::kTimeMarker) {
    json.key("is_marker").boolean(packet.is_marker()).key("delta").number(packet.shape->delta.of(packet.bits));
  }
  json.end_object().end_array();
}

}  // namespace

void write_packets(JsonWriter& json, std::span<const std::byte> trace) {
  json.begin_array();
  decode_packets(trace, [&](const Packet& packet) {
    write_packet(json, packet);
    return true;
  });
  json.end_array();
}

}  // namespace vizd::thread_trace
