// The opcodes of Python's pickle protocols, named and numbered as in CPython's Lib/pickle.py.
#pragma once

#include <cstdint>

namespace vizd::pickle {

enum class Opcode : std::uint8_t {
  kMark = '(',
  kStop = '.',
  kPop = '0',
  kPopMark = '1',
  kDup = '2',
  kNone = 'N',
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kBinFloat = 'G',
  kBinUnicode = 'X',
  kAppend = 'a',
  kAppends = 'e',
  kBuild = 'b',
  kGlobal = 'c',
  kEmptyDict = '}',
  kEmptyList = ']',
  kEmptyTuple = ')',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kReduce = 'R',
  kSetItem = 's',
  kSetItems = 'u',
  kTuple = 't',
  // Protocol 2
  kProto = 0x80,
  kNewObj = 0x81,
  kExt1 = 0x82,
  kExt2 = 0x83,
  kExt4 = 0x84,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kLong1 = 0x8a,
  kLong4 = 0x8b,
  // Protocol 3
  kBinBytes = 'B',
  kShortBinBytes = 'C',
  // Protocol 4
  kShortBinUnicode = 0x8c,
  kBinUnicode8 = 0x8d,
  kBinBytes8 = 0x8e,
  kEmptySet = 0x8f,
  kAddItems = 0x90,
  kFrozenSet = 0x91,
  kNewObjEx = 0x92,
  kStackGlobal = 0x93,
  kMemoize = 0x94,
  kFrame = 0x95,
  // Protocol 5
  kByteArray8 = 0x96,
  kNextBuffer = 0x97,
  kReadOnlyBuffer = 0x98,
  // Read, but refused: they need the program that wrote the pickle.
  kPersId = 'P',
  kBinPersId = 'Q',
  // Opcodes of protocols 0 and 1, and of Python 2: refused.
  kInt = 'I',
  kLong = 'L',
  kFloat = 'F',
  kString = 'S',
  kBinString = 'T',
  kShortBinString = 'U',
  kUnicode = 'V',
  kDict = 'd',
  kList = 'l',
  kInst = 'i',
  kObj = 'o',
  kGet = 'g',
  kPut = 'p',
};

}  // namespace vizd::pickle
