#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::planner {

/// A sentence of a table, and what it must be understood as.
struct Sentence {
  std::string language;
  std::string text;
  /// Parameter -> canonical JSON of the argument; those not named must have their default.
  std::map<std::string, std::string> arguments;
  std::string place;  ///< file:line
};

/// tests/unit/planner/utterances/NAME.txt: what people say to one template. Format: README.md
/// there.
struct UtteranceTable {
  std::map<std::string, std::string> slots;  ///< realistic values for the template's own utterances
  std::vector<Sentence> held_out;            ///< not in the template
  std::vector<Sentence> asks;                ///< must end in a question
};

[[nodiscard]] UtteranceTable read_utterances(std::string_view template_name);

}  // namespace rgx::planner
