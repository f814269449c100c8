#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml/reader.h"

// Reads a YAML mapping against a closed schema and collects every mistake with its position.
// One Mistakes object serves a whole file, so that all are reported at once.

namespace rgx::yaml {

class Mistakes {
 public:
  void add(std::string_view code, const Place& place, std::string_view message,
           std::string_view remedy = {});
  [[nodiscard]] bool empty() const { return all_.empty(); }
  /// Sorted by position; usage error.
  [[nodiscard]] Error error() &&;
  [[nodiscard]] std::vector<Diagnostic>& all() { return all_; }

 private:
  std::vector<Diagnostic> all_;
};

/// Members are asked for by name; `finish` reports those nobody asked for (yaml.unknown_key, with
/// the nearest known key). A wrong type is yaml.type, a missing required key yaml.missing_key.
/// An explicit empty value (`deny:`) is yaml.empty_value everywhere.
class MappingReader {
 public:
  /// A node that is no mapping is a mistake; all members then count as missing silently.
  MappingReader(const Node& node, std::string what, Mistakes& mistakes);

  [[nodiscard]] const Node* node(std::string_view key);  ///< any kind; optional
  [[nodiscard]] const Node* required_node(std::string_view key);
  [[nodiscard]] std::optional<std::string> string(std::string_view key);
  [[nodiscard]] std::string required_string(std::string_view key);
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::int64_t min,
                                                    std::int64_t max);
  [[nodiscard]] std::optional<bool> boolean(std::string_view key);
  /// A sequence of strings (or one string, where `one_is_list`), with places.
  struct Text {
    std::string value;
    Place place;
    Style style = Style::plain;
  };
  enum class OneIsList : std::uint8_t { no, yes };
  [[nodiscard]] std::optional<std::vector<Text>> strings(std::string_view key,
                                                         OneIsList one = OneIsList::no);
  [[nodiscard]] const Node* sequence(std::string_view key);  ///< optional
  [[nodiscard]] const Node* mapping(std::string_view key);   ///< optional
  /// One of a closed set of words (yaml.bad_value with the nearest otherwise); index into words.
  [[nodiscard]] std::optional<std::size_t> word(std::string_view key,
                                                std::span<const std::string_view> words);
  /// Requires `schema: expected` (yaml.schema).
  void schema(std::string_view expected);
  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] Place place_of(std::string_view key) const;  ///< of the key, else of the mapping
  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] Mistakes& mistakes() { return mistakes_; }
  void finish();

 private:
  const Node* typed(std::string_view key, Node::Kind kind);

  const Node& node_;
  std::string what_;
  Mistakes& mistakes_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace rgx::yaml
