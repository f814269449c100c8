// YAML reader: any bytes are a tree whose nodes know their place, or mistakes that do.
#include "base/canonical.h"
#include "base/text.h"
#include "base/yaml/reader.h"

#include "tests/fuzz/target.h"

namespace {

using rgx::yaml::Node;

/// Byte offset of a place in a text, which the place must lie in.
std::size_t offset_of(std::string_view text, const rgx::Place& place) {
  RGX_FUZZ_CHECK(place.line >= 1);
  RGX_FUZZ_CHECK(place.column >= 1);
  std::size_t start = 0;
  for (std::uint32_t line = 1; line < place.line; ++line) {
    start = text.find('\n', start);
    RGX_FUZZ_CHECK(start != std::string_view::npos);
    ++start;
  }
  const std::size_t offset = start + place.column - 1;
  RGX_FUZZ_CHECK(offset <= text.size());
  RGX_FUZZ_CHECK(text.substr(start, offset - start).find('\n') == std::string_view::npos);
  return offset;
}

/// Where a node says it stands, there it stands.
void check_place(std::string_view text, const Node& node) {
  const std::size_t offset = offset_of(text, node.place);
  const char first = offset < text.size() ? text[offset] : '\0';
  switch (node.kind) {
    case Node::Kind::boolean:
    case Node::Kind::integer:
      RGX_FUZZ_CHECK(text.substr(offset).starts_with(node.text));
      return;
    case Node::Kind::string:
      switch (node.style) {
        case rgx::yaml::Style::plain:
          RGX_FUZZ_CHECK(!node.text.empty());
          RGX_FUZZ_CHECK(first == node.text.front());
          return;
        case rgx::yaml::Style::quoted:
          RGX_FUZZ_CHECK(first == '"' || first == '\'');
          return;
        case rgx::yaml::Style::block:
          RGX_FUZZ_CHECK(first == '|' || first == '>');
          return;
      }
      return;
    case Node::Kind::null:
    case Node::Kind::sequence:
    case Node::Kind::mapping:
      return;
  }
}

void check_node(std::string_view text, const Node& node, std::size_t depth) {
  RGX_FUZZ_CHECK(depth <= rgx::yaml::kDepthMax);
  check_place(text, node);
  for (const auto& item : node.items) {
    RGX_FUZZ_CHECK(item->kind != Node::Kind::null);
    check_node(text, *item, depth + 1);
  }
  for (const rgx::yaml::Member& member : node.members) {
    RGX_FUZZ_CHECK(!rgx::find_deceptive(member.key));
    RGX_FUZZ_CHECK(!member.key.empty());
    RGX_FUZZ_CHECK(node.find(member.key) == &member);
    static_cast<void>(offset_of(text, member.key_place));
    check_node(text, *member.value, depth + 1);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rgx;
  std::string_view text = fuzz::text_of(data, size);
  const auto node = yaml::parse(text, "fuzz");
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);  // places do not count the byte order mark
  }
  if (node) {
    check_node(text, *node, 0);
    RGX_FUZZ_CHECK(parse_json(canonical(yaml::to_json(*node))).has_value());
    return 0;
  }
  RGX_FUZZ_CHECK(!node.error().diagnostics.empty());
  for (const Diagnostic& mistake : node.error().diagnostics) {
    RGX_FUZZ_CHECK(!find_deceptive(mistake.message));
    RGX_FUZZ_CHECK(!mistake.remedy.empty());
    if (mistake.code != "yaml.too_large") {
      static_cast<void>(offset_of(text, mistake.place));
    }
  }
  return 0;
}
