#include "formats/tinygrad/v2026_08/ops.h"

namespace vizd::tinygrad_2026_08 {

std::string_view op_name(Ops op) {
  const auto number = static_cast<std::size_t>(op);
  return number >= 1 && number < kOpsCount ? kOpNames[number - 1] : "UNKNOWN";
}

std::string_view op_colour(Ops op) {
  switch (op) {
    case Ops::kLoad:
      return "#ffc0c0";
    case Ops::kStore:
      return "#87CEEB";
    case Ops::kConst:
      return "#e0e0e0";
    case Ops::kReduce:
      return "#FF5B5B";
    case Ops::kRange:
      return "#c8a0e0";
    case Ops::kBarrier:
      return "#ff8080";
    case Ops::kIf:
      return "#c8b0c0";
    case Ops::kSpecial:
      return "#c0c0ff";
    case Ops::kIndex:
      return "#CEF9B7";
    case Ops::kStack:
      return "#D8F9E4";
    case Ops::kWmma:
      return "#efefc0";
    case Ops::kUnshard:
      return "#f6ccff";
    case Ops::kIns:
      return "#eec4ff";
    case Ops::kThreefry:
      return "#ffff80";
    case Ops::kBuffer:
      return "#B0BDFF";
    case Ops::kGetaddr:
      return "#9DB1F0";
    case Ops::kCopy:
      return "#a040a0";
    case Ops::kCustomFunction:
      return "#bf71b6";
    case Ops::kCall:
      return "#00B7C8";
    case Ops::kFunction:
      return "#C07788";
    case Ops::kParam:
      return "#14686F";
    case Ops::kSource:
      return "#c0c0c0";
    case Ops::kBinary:
      return "#404040";
    case Ops::kLinear:
      return "#7DF4FF";
    case Ops::kAllreduce:
      return "#ff40a0";
    case Ops::kMselect:
    case Ops::kMstack:
      return "#d040a0";
    case Ops::kContiguous:
      return "#FFC14D";
    case Ops::kStage:
      return "#AC640D";
    case Ops::kRewriteError:
      return "#1a1b26";
    case Ops::kAfter:
      return "#8A7866";
    case Ops::kEnd:
      return "#524C46";
    default:
      return is_movement(op) ? "#D8F9E4" : is_alu(op) ? "#ffffc0" : "#ffffff";
  }
}

}  // namespace vizd::tinygrad_2026_08
