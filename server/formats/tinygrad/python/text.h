// How Python prints and reads plain values: what str(), repr(), f"{x:g}" and the unicode_escape codec give, character
// by character. Texts are UTF-8. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vizd::python {

// repr(x) of a float: the shortest digits that read back as the same number; "inf", "nan".
std::string float_repr(double value);

// f"{x:g}"
std::string float_general(double value);

// repr(x) of a str. Code points that Unicode has not assigned count as printable here.
std::string string_repr(std::string_view text);

// repr(x) of a bytes object.
std::string bytes_repr(std::string_view data);

// codecs.decode(text, "unicode_escape"): the text's UTF-8 bytes as Latin-1, with backslash escapes replaced. Nothing
// where Python raises: a cut-off escape, and here every \N{…}, too.
std::optional<std::string> decode_unicode_escape(std::string_view text);

}  // namespace vizd::python
