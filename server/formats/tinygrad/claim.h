// Which files tinygrad's captures are made of, and where it leaves them: a pair of rewrites and profile, of which
// either may be alone or not there yet.
#pragma once

#include <span>
#include <vector>

#include "formats/input_set.h"

namespace vizd::tinygrad {

// The roles of a set's files.
inline constexpr std::string_view kRewrites = "rewrites";
inline constexpr std::string_view kProfile = "profile";

// "X.rewrites.pkl" and "X.profile.pkl" (or "rewrites.pkl.U" and "profile.pkl.U") of one folder are a pair; also where
// one or both hold nothing yet that anybody knows. What options name is a pair of its own. own: the format that the
// sets are of.
std::vector<InputSet> claim(const Format& own, std::span<const ListedFile> listing);

// {rewrites,profile}.pkl.USER in Python's tempfile.gettempdir() (tinygrad helpers.py temp), there or not.
InputSet default_set(const Format& own);

}  // namespace vizd::tinygrad
