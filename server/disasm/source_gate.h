// The gate before the compiler: a kernel's source is compiled only where its text cannot make the compiler read a file
// or hand text of its choice to the assembler. Pure; any thread. What is let through, and why the rest is not:
// README.md.
#pragma once

#include <string_view>

#include "base/result.h"

namespace vizd {

enum class SourceLanguage { kC, kLlvmIr, kOther };

// By the text: LLVM's intermediate representation, or else C, which is what tinygrad's CPU renderers write. `device` is
// the one the program was made for: sources of GPUs are not C.
SourceLanguage language_of(std::string_view device, std::string_view source);
// As API.md names it: "c", "llvm", "other".
std::string_view name_of(SourceLanguage language);

// Errors: what stands in the source that is not let through, and its line in `where`.
Result<void> check_source(SourceLanguage language, std::string_view source);

// gcc gives its assembler text, in which attributes of the source are copied as they are. Errors: a directive there
// that a compiler does not write by itself, such as one that reads a file.
Result<void> check_assembly(std::string_view assembly);

}  // namespace vizd
