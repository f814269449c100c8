#include "tests/unit/planner/utterance_table.h"

#include "base/canonical.h"
#include "base/json.h"
#include "base/text.h"

#include <gtest/gtest.h>

#include <fstream>

namespace rgx::planner {
namespace {

constexpr std::string_view kArrow = "  =>";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// `a` is a text, `[a, b]` a list of texts.
Json value_of(std::string_view text) {
  if (!text.starts_with('[')) {
    return Json(text);
  }
  Json list = Json::array();
  const std::string_view inner = text.substr(1, text.size() - 2);
  for (const std::string_view item : split(inner, ',')) {
    list.push(Json(trimmed(item)));
  }
  return list;
}

std::map<std::string, std::string> arguments_of(std::string_view text) {
  std::map<std::string, std::string> all;
  for (const std::string_view part : split(text, ';')) {
    const std::size_t equals = part.find('=');
    if (equals != std::string_view::npos) {
      all.emplace(trimmed(part.substr(0, equals)),
                  canonical(value_of(trimmed(part.substr(equals + 1)))));
    }
  }
  return all;
}

}  // namespace

UtteranceTable read_utterances(std::string_view template_name) {
  const std::string name = "tests/unit/planner/utterances/" + std::string(template_name) + ".txt";
  std::ifstream file(std::string(RGX_SOURCE_DIR "/") + name);
  EXPECT_TRUE(file.is_open()) << name;
  UtteranceTable table;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    const std::string_view text(line);
    const std::size_t space = text.find(' ');
    const std::string_view kind = text.substr(0, space);
    std::string_view rest = trimmed(text.substr(space));
    if (kind == "slot") {
      const std::size_t equals = rest.find('=');
      table.slots.emplace(trimmed(rest.substr(0, equals)), trimmed(rest.substr(equals + 1)));
      continue;
    }
    Sentence sentence;
    sentence.place = name + ":" + std::to_string(number);
    const std::size_t arrow = rest.rfind(kArrow);
    if (arrow != std::string_view::npos) {
      sentence.arguments = arguments_of(rest.substr(arrow + kArrow.size()));
      rest = trimmed(rest.substr(0, arrow));
    }
    sentence.text = rest;
    sentence.language = kind;
    if (kind == "ask") {
      table.asks.push_back(std::move(sentence));
    } else if (kind == "en" || kind == "zh" || kind == "mix") {
      table.held_out.push_back(std::move(sentence));
    } else {
      ADD_FAILURE() << sentence.place << ": unknown kind " << kind;
    }
  }
  return table;
}

}  // namespace rgx::planner
