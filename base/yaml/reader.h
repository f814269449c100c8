#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/result.h"

// A strict YAML subset on parser events: one UTF-8 document, unique plain string keys, no
// anchors, aliases, merges, tags, directives, tab bytes or control characters, only `true` and
// `false`, decimal integers, everything else a string. Every node keeps its position.
// Refusals and their reasons: docs/formats/yaml.md

namespace rgx::yaml {

inline constexpr std::size_t kFileBytesMax = 192U << 10;
inline constexpr std::size_t kDepthMax = 32;
inline constexpr std::size_t kNodesMax = 50000;

enum class Style : std::uint8_t { plain, quoted, block };

class Node;
/// Members in file order; keys are unique. `key_place` is where the key stands.
struct Member {
  std::string key;
  Place key_place;
  std::shared_ptr<const Node> value;
};

class Node {
 public:
  enum class Kind : std::uint8_t { null, boolean, integer, string, sequence, mapping };

  Kind kind = Kind::null;
  Place place;
  Style style = Style::plain;
  bool boolean = false;
  std::int64_t integer = 0;
  std::string text;  ///< the scalar as written (after unquoting)
  std::vector<std::shared_ptr<const Node>> items;
  std::vector<Member> members;

  [[nodiscard]] const Member* find(std::string_view key) const;
};

[[nodiscard]] std::string_view to_string(Node::Kind kind);

/// Parses one document; all mistakes at once, each with position and remedy. `name` is the file
/// name in messages. Errors: yaml.* (docs/codes.md).
[[nodiscard]] Result<Node> parse(std::string_view text, std::string_view name);

/// The node as JSON (null stays null), for values whose schema is elsewhere (`with:` of a step).
[[nodiscard]] Json to_json(const Node& node);

}  // namespace rgx::yaml
