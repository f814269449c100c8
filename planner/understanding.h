#pragma once

#include "planner/alignment.h"
#include "planner/compile.h"

#include <string>
#include <string_view>
#include <vector>

// What an intent says in the words of one template. Private to the package.

namespace rgx::planner {

/// Below this an intent is about something else.
inline constexpr std::uint32_t kScoreMin = 650;

struct Understanding {
  Candidate candidate;                ///< best utterance and score
  std::vector<Alignment> alignments;  ///< different ones near enough to the best, best first
  [[nodiscard]] const Alignment& best() const { return alignments.front(); }
};

/// No alignments when no utterance shares a word with the intent, or it has too many words.
[[nodiscard]] Understanding understand(const std::vector<Token>& intent,
                                       const templates::Template& source);

}  // namespace rgx::planner
