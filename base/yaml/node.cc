#include <algorithm>

#include "base/check.h"
#include "base/yaml/reader.h"

namespace rgx::yaml {

const Member* Node::find(std::string_view key) const {
  const auto member = std::find_if(members.begin(), members.end(),
                                   [key](const Member& each) { return each.key == key; });
  return member == members.end() ? nullptr : &*member;
}

std::string_view to_string(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::null:
      return "nothing";
    case Node::Kind::boolean:
      return "a boolean";
    case Node::Kind::integer:
      return "an integer";
    case Node::Kind::string:
      return "a string";
    case Node::Kind::sequence:
      return "a list";
    case Node::Kind::mapping:
      return "a mapping";
  }
  check_failed("kind is in range", __FILE__, __LINE__);
}

// Recursion is bounded by kDepthMax, which the parser holds every node to.
Json to_json(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return {};
    case Node::Kind::boolean:
      return {node.boolean};
    case Node::Kind::integer:
      return {node.integer};
    case Node::Kind::string:
      return {node.text};
    case Node::Kind::sequence: {
      Json::Array items;
      items.reserve(node.items.size());
      for (const auto& item : node.items) {
        items.push_back(to_json(*item));
      }
      return {std::move(items)};
    }
    case Node::Kind::mapping: {
      Json::Object members;
      for (const Member& member : node.members) {
        members.emplace(member.key, to_json(*member.value));
      }
      return {std::move(members)};
    }
  }
  check_failed("kind is in range", __FILE__, __LINE__);
}

}  // namespace rgx::yaml
