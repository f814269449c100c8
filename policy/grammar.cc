#include "policy/grammar.h"

#include <algorithm>

#include "base/check.h"
#include "base/path.h"
#include "base/text.h"
#include "base/yaml/mapping_reader.h"
#include "policy/embedded_programs.h"

namespace rgx::policy {
namespace {

using yaml::MappingReader;
using yaml::Mistakes;
using Texts = std::vector<MappingReader::Text>;

constexpr std::string_view kSchema = "rgx.programs/v1";
constexpr std::array<std::string_view, 3> kReaderNames = {"flags", "find", "xargs"};

/// The lists under `flags`, by name.
struct FlagList {
  std::string_view key;
  Flag flag;
};
constexpr std::array<FlagList, 14> kFlagLists = {{
    {"none", {Flag::Arity::none, WordKind::text}},
    {"value", {Flag::Arity::value, WordKind::text}},
    {"optional", {Flag::Arity::optional, WordKind::text}},
    {"read", {Flag::Arity::value, WordKind::read}},
    {"read_tree", {Flag::Arity::value, WordKind::read_tree}},
    {"write", {Flag::Arity::value, WordKind::write}},
    {"write_tree", {Flag::Arity::value, WordKind::write_tree}},
    {"change", {Flag::Arity::value, WordKind::change}},
    {"awk", {Flag::Arity::value, WordKind::awk}},
    {"sed", {Flag::Arity::value, WordKind::sed}},
    {"open", {Flag::Arity::none, WordKind::open}},
    {"open_value", {Flag::Arity::value, WordKind::open}},
    {"code", {Flag::Arity::none, WordKind::code}},
    {"code_value", {Flag::Arity::value, WordKind::code}},
}};

bool is_flag_name(std::string_view name) {
  return name.size() > 1 && name.front() == '-' && name != "--" &&
         name.find_first_of("= \t") == std::string_view::npos;
}

Texts texts_of(MappingReader& reader, std::string_view key) {
  return reader.strings(key).value_or(Texts{});
}

void read_flags(MappingReader& parent, CommandGrammar& grammar) {
  const yaml::Node* node = parent.mapping("flags");
  if (node == nullptr) {
    return;
  }
  MappingReader reader(*node, "`flags`", parent.mistakes());
  for (const FlagList& list : kFlagLists) {
    for (const MappingReader::Text& name : texts_of(reader, list.key)) {
      if (!is_flag_name(name.value)) {
        reader.mistakes().add("programs.flag", name.place,
                              "`" + printable(name.value) + "` is no flag",
                              "write `-x` or `--name`, without its value");
      } else if (!grammar.flags.emplace(name.value, list.flag).second) {
        reader.mistakes().add("programs.flag", name.place,
                              "flag `" + printable(name.value) + "` is there twice",
                              "keep one of the two");
      }
    }
  }
  reader.finish();
}

std::optional<WordKind> kind_of(const std::string& word) {
  const auto* found = std::ranges::find(kWordKindNames, word);
  return found == kWordKindNames.end()
             ? std::nullopt
             : std::optional(static_cast<WordKind>(found - kWordKindNames.begin()));
}

void read_operands(MappingReader& reader, CommandGrammar& grammar) {
  for (const MappingReader::Text& word : texts_of(reader, "operands")) {
    if (const auto kind = kind_of(word.value)) {
      grammar.operands.push_back(*kind);
    } else {
      reader.mistakes().add("yaml.bad_value", word.place,
                            "`" + printable(word.value) + "` is no kind of operand",
                            "docs/formats/programs.md lists the kinds");
    }
  }
  if (const auto kind = reader.word("last", kWordKindNames)) {
    grammar.last = static_cast<WordKind>(*kind);
  }
}

std::vector<std::string> read_paths(MappingReader& reader, std::string_view key) {
  std::vector<std::string> paths;
  for (const MappingReader::Text& text : texts_of(reader, key)) {
    if (const auto path = normal_path(text.value)) {
      paths.push_back(*path);
    } else {
      reader.mistakes().add("programs.path", text.place,
                            "`" + printable(text.value) + "` is no path of the workspace",
                            "write a path or a glob without a leading `/`");
    }
  }
  return paths;
}

/// Flags that change what operands mean must be among the flags.
std::vector<std::string> read_known_flags(MappingReader& reader, std::string_view key,
                                          const CommandGrammar& grammar) {
  std::vector<std::string> names;
  for (const MappingReader::Text& text : texts_of(reader, key)) {
    if (!grammar.flags.contains(text.value)) {
      reader.mistakes().add("programs.flag", text.place,
                            "`" + printable(text.value) + "` is not among `flags`",
                            "add it to a list under `flags`");
    }
    names.push_back(text.value);
  }
  return names;
}

CommandGrammar read_grammar(const yaml::Node& node, const std::string& what, Mistakes& mistakes);

void read_subcommands(MappingReader& parent, CommandGrammar& grammar, const std::string& name) {
  const yaml::Node* node = parent.mapping("subcommands");
  if (node == nullptr) {
    return;
  }
  for (const yaml::Member& member : node->members) {
    const std::string what = name + " " + member.key;
    const CommandGrammar read = read_grammar(*member.value, what, parent.mistakes());
    grammar.subcommands.emplace(member.key, read);
  }
}

CommandGrammar read_grammar(const yaml::Node& node, const std::string& what, Mistakes& mistakes) {
  MappingReader reader(node, "`" + what + "`", mistakes);
  CommandGrammar grammar;
  if (const auto kind = reader.word("reader", kReaderNames)) {
    grammar.reader = static_cast<CommandGrammar::Reader>(*kind);
  }
  grammar.open = reader.boolean("open").value_or(false);
  grammar.numbers = reader.boolean("numbers").value_or(false);
  grammar.words = reader.boolean("words").value_or(false);
  grammar.early = reader.boolean("early").value_or(false);
  read_flags(reader, grammar);
  read_operands(reader, grammar);
  grammar.reads = read_paths(reader, "reads");
  grammar.unnamed = read_paths(reader, "unnamed");
  grammar.first_from = read_known_flags(reader, "first_from", grammar);
  grammar.tree_with = read_known_flags(reader, "tree_with", grammar);
  grammar.change_with = read_known_flags(reader, "change_with", grammar);
  grammar.passes_with = read_known_flags(reader, "passes_with", grammar);
  read_subcommands(reader, grammar, what);
  reader.finish();
  return grammar;
}

}  // namespace

Result<Grammars> load_grammars(std::string_view text, std::string_view file) {
  RGX_TRY(const yaml::Node root, yaml::parse(text, file));
  Mistakes mistakes;
  MappingReader reader(root, "the file", mistakes);
  reader.schema(kSchema);
  Grammars grammars;
  if (const yaml::Node* programs = reader.mapping("programs")) {
    for (const yaml::Member& member : programs->members) {
      CommandGrammar grammar = read_grammar(*member.value, member.key, mistakes);
      grammars.emplace(member.key, std::move(grammar));
    }
  }
  if (const yaml::Node* same = reader.mapping("same")) {
    MappingReader aliases(*same, "`same`", mistakes);
    for (const yaml::Member& member : same->members) {
      const auto of = aliases.string(member.key);
      const auto found = of ? grammars.find(*of) : grammars.end();
      if (found == grammars.end()) {
        mistakes.add("programs.same", member.key_place,
                     "`" + printable(member.key) + "` is said to be a program that is not there",
                     "name one under `programs`");
      } else {
        grammars.emplace(member.key, CommandGrammar(found->second));
      }
    }
  }
  reader.finish();
  if (!mistakes.empty()) {
    return fail(std::move(mistakes).error());
  }
  return grammars;
}

Result<Grammars> load_shipped_grammars() {
  const EmbeddedFile file = embedded_programs().front();
  return load_grammars(file.bytes, file.name);
}

const CommandGrammar* find_grammar(std::string_view name) {
  static const Grammars kGrammars = [] {
    auto loaded = load_shipped_grammars();
    RGX_CHECK(loaded.has_value());  // a test loads the same bytes
    return std::move(*loaded);
  }();
  const auto found = kGrammars.find(name);
  return found == kGrammars.end() ? nullptr : &found->second;
}

}  // namespace rgx::policy
