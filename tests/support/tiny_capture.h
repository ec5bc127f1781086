// A rewrites.pkl and a profile.pkl small enough to read here: one context of one pass that turns ADD(CONST 1, CONST 2)
// into CONST 3, and a device that ran it. For tests of what is wrong with a capture, one part at a time.
#pragma once

#include <string>

#include "support/pickle_writer.h"

namespace vizd {

// The parts of a rewrites.pkl, each as opcodes; "" takes what a good capture has.
struct TinyRewrites {
  std::string keys{};        // the items of the list of TracingKey
  std::string contexts{};    // the items of the list of lists of passes
  std::string uop_fields{};  // the items of the dict

  std::string pickle() const;
};

inline std::string opcodes(const PickleWriter& writer) { return writer.finish().substr(2, writer.finish().size() - 3); }

// dtypes.int
inline std::string int_dtype() {
  return opcodes(PickleWriter()
                     .global("tinygrad.dtype", "DType")
                     .mark()
                     .integer(5)
                     .integer(4)
                     .text("int")
                     .text("i")
                     .integer(1)
                     .none()
                     .reduce());
}

inline std::string ops_member(std::string_view name) {
  return opcodes(PickleWriter().global("builtins", "getattr").mark().global("tinygrad.uop", "Ops").text(name).reduce());
}

// number: (op, dtype, sources, arg, None); sources and arg as opcodes.
inline std::string uop(int number, std::string_view op, const std::string& sources, const std::string& arg) {
  return opcodes(
      PickleWriter().integer(number).mark().raw(ops_member(op)).raw(int_dtype()).raw(sources).raw(arg).none().tuple());
}

inline std::string location(std::string_view file, int line) {
  return opcodes(PickleWriter().mark().text(file).integer(line).tuple());
}

inline std::string match(int before, int after) {
  return opcodes(PickleWriter().mark().integer(before).integer(after).raw(location("/rules.py", 7)).tuple());
}

// A TrackedGraphRewrite; matches as opcodes.
inline std::string pass(std::string_view name, int sink, const std::string& matches) {
  PickleWriter w;
  w.object("tinygrad.uop.ops", "TrackedGraphRewrite").mark();
  w.text("loc").raw(location("/passes.py", 12)).text("sink").integer(sink);
  w.text("matches").list().mark().raw(matches).appends();
  w.text("name").text(name).text("depth").integer(0).text("bottom_up").boolean(false);
  return opcodes(w.built());
}

// A TracingKey; links and made (its ret) as opcodes.
inline std::string tracing_key(std::string_view name, const std::string& links, const std::string& made = "N") {
  PickleWriter w;
  w.object("tinygrad.helpers", "TracingKey").mark().text("display_name").text(name);
  w.text("keys").mark().raw(links).tuple().text("ret").raw(made);
  return opcodes(w.built());
}

inline std::string a_list(const std::string& items) {
  return opcodes(PickleWriter().list().mark().raw(items).appends());
}
inline std::string a_tuple(const std::string& items) { return opcodes(PickleWriter().mark().raw(items).tuple()); }
inline std::string a_dict(const std::string& items) {
  return opcodes(PickleWriter().dict().mark().raw(items).set_items());
}
inline std::string an_int(int value) { return opcodes(PickleWriter().integer(value)); }
inline std::string a_text(std::string_view value) { return opcodes(PickleWriter().text(value)); }

inline std::string TinyRewrites::pickle() const {
  const std::string good_fields = uop(0, "CONST", ")", an_int(1)) + uop(1, "CONST", ")", an_int(2)) +
                                  uop(2, "ADD", a_tuple(an_int(0) + an_int(1)), "N") + uop(3, "CONST", ")", an_int(3));
  PickleWriter w;
  w.list().mark().mark();
  w.raw(a_list(keys.empty() ? tracing_key("sum n1", a_text("sum n1")) : keys));
  w.raw(a_list(contexts.empty() ? a_list(pass("fold", 2, match(2, 3))) : contexts));
  w.dict().mark().raw(uop_fields.empty() ? good_fields : uop_fields).set_items();
  return w.tuple().appends().finish();
}

inline std::string decimal(std::string_view text) {
  return opcodes(PickleWriter().global("decimal", "Decimal").mark().text(text).reduce());
}

// Events of a profile.pkl, as opcodes; name as opcodes in the first.
inline std::string range_event(std::string_view device, const std::string& name, std::string_view start,
                               const std::string& end, bool is_copy = false) {
  PickleWriter w;
  w.object("tinygrad.helpers", "ProfileRangeEvent").mark().text("device").text(device).text("name").raw(name);
  return opcodes(w.text("st").raw(decimal(start)).text("en").raw(end).text("is_copy").boolean(is_copy).built());
}

inline std::string point_event(std::string_view device, std::string_view name, const std::string& key,
                               const std::string& arg, std::string_view at) {
  PickleWriter w;
  w.object("tinygrad.helpers", "ProfilePointEvent").mark().text("device").text(device).text("name").text(name);
  return opcodes(w.text("key").raw(key).text("arg").raw(arg).text("ts").raw(decimal(at)).built());
}

inline std::string device_event(std::string_view device, std::string_view compute, const std::string& copy) {
  PickleWriter w;
  w.object("tinygrad.device", "ProfileDeviceEvent").mark().text("device").text(device);
  return opcodes(w.text("comp_tdiff").raw(decimal(compute)).text("copy_tdiff").raw(copy).built());
}

inline std::string profile_pickle(const std::string& events) {
  return PickleWriter().list().mark().raw(events).appends().finish();
}

}  // namespace vizd
