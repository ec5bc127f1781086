#include "formats/pickle/refusals.h"

#include <fmt/core.h>

#include <cstddef>

namespace vizd::pickle {

std::string_view kind_name(Node node) {
  constexpr std::string_view kNames[] = {"None",    "a bool", "an int", "an int", "a float", "a text",   "bytes",
                                         "a tuple", "a list", "a set",  "a dict", "a class", "an object"};
  return kNames[static_cast<std::size_t>(node.kind())];
}

std::string refusal_of(Opcode opcode) {
  const int code = static_cast<int>(opcode);
  switch (opcode) {
    case Opcode::kPersId:
    case Opcode::kBinPersId:
      return "refers to an object outside of the file (a persistent id); save the capture without a persistent_id hook";
    case Opcode::kExt1:
    case Opcode::kExt2:
    case Opcode::kExt4:
      return "names a class by an extension code, which only the program that wrote it knows; save without copyreg "
             "extensions";
    case Opcode::kNextBuffer:
    case Opcode::kReadOnlyBuffer:
      return "refers to a buffer outside of the file; save the capture without a buffer_callback";
    case Opcode::kInt:
    case Opcode::kLong:
    case Opcode::kFloat:
    case Opcode::kString:
    case Opcode::kBinString:
    case Opcode::kShortBinString:
    case Opcode::kUnicode:
    case Opcode::kDict:
    case Opcode::kList:
    case Opcode::kInst:
    case Opcode::kObj:
    case Opcode::kGet:
    case Opcode::kPut:
      return fmt::format("opcode 0x{:02x} is of pickle protocol 0 or 1, or of Python 2; save with protocol 2 or later",
                         code);
    default:
      return fmt::format("no pickle opcode is 0x{:02x}; the file is damaged or not a pickle", code);
  }
}

}  // namespace vizd::pickle
