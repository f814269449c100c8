#include "base/yaml/tree.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "base/yaml/scalar.h"

namespace rgx::yaml {

namespace {

constexpr std::size_t kMistakesMax = 100;
/// Below this many members a linear search for repeated keys beats a set.
constexpr std::size_t kLinearKeysMax = 16;

/// User input in a message: printable, in backticks, short.
std::string quoted(std::string_view text) {
  constexpr std::size_t kShownBytesMax = 60;
  if (text.size() <= kShownBytesMax) {
    return "`" + printable(text) + "`";
  }
  std::size_t end = kShownBytesMax;
  while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  return "`" + printable(text.substr(0, end)) + "...`";
}

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r';
}

}  // namespace

char Tree::at(std::size_t offset) const {
  return offset < source_.text().size() ? source_.text()[offset] : '\0';
}

void Tree::mistake(std::string_view code, std::size_t offset, std::string_view message,
                   std::string_view remedy) {
  mistakes_.push_back(Diagnostic{.code = std::string(code),
                                 .message = std::string(message),
                                 .remedy = std::string(remedy),
                                 .place = source_.place(offset)});
  if (mistakes_.size() >= kMistakesMax) {
    stop();
  }
}

std::optional<std::size_t> Tree::open_bracket() const {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (at(frame->offset) == '[' || at(frame->offset) == '{') {
      return frame->offset;
    }
  }
  return std::nullopt;
}

void Tree::forget_last() {
  const Place last = source_.place(last_offset_);
  std::erase_if(mistakes_, [&last](const Diagnostic& each) { return each.place == last; });
}

void Tree::document(std::size_t offset) {
  last_offset_ = offset;
  if (++documents_ == 1) {
    return;
  }
  const std::string_view text = source_.text();
  const std::size_t line_start = text.rfind('\n', offset == 0 ? 0 : offset - 1) + 1;
  if (text.substr(line_start).starts_with("---") || text.substr(offset).starts_with("---")) {
    mistake("yaml.multiple_documents", offset, "second document in one file",
            "keep one document a file");
  } else {
    mistake("yaml.multiple_documents", offset, "text behind the end of the document",
            "check the indentation: everything belongs to one list or one mapping");
  }
  stop();
}

Tree::Role Tree::next_role() const {
  if (frames_.empty()) {
    return Role::root;
  }
  const Frame& top = frames_.back();
  if (top.node->kind == Node::Kind::sequence) {
    return Role::item;
  }
  return top.wants_key ? Role::key : Role::value;
}

/// The parser takes a value on a line of its own that is not indented more than its key.
void Tree::check_indentation(std::size_t offset, bool dashes) {
  if (next_role() != Role::value || frames_.back().flow || !frames_.back().key_valid) {
    return;
  }
  const Position key = source_.position(frames_.back().key_offset);
  const Position value = source_.position(offset);
  if (value.line > key.line &&
      (value.column < key.column || (value.column == key.column && !dashes))) {
    mistake("yaml.syntax", offset, "value that is not indented more than its key", "indent it");
  }
}

bool Tree::count_node(std::size_t offset) {
  last_offset_ = offset;
  if (++nodes_ <= kNodesMax) {
    return true;
  }
  mistake("yaml.too_many_nodes", offset,
          "more than " + std::to_string(kNodesMax) + " values in one file", "split the file");
  stop();
  return false;
}

void Tree::anchor(std::size_t offset) {
  mistake("yaml.anchor", offset, "`&` starts an anchor, which is not supported",
          "write the value out, or quote the text");
}

void Tree::alias(std::size_t offset) {
  mistake("yaml.alias", offset, "`*` starts an alias, which is not supported",
          "quote globs, as in \"*.pem\"; write a repeated value out");
}

void Tree::tag(std::size_t offset) {
  mistake("yaml.tag", offset, "`!` starts a tag, which is not supported",
          "remove the tag, or quote the text");
}

void Tree::scalar(std::size_t offset, std::string text, bool plain) {
  ends_in_block_ = false;
  if (!count_node(offset)) {
    return;
  }
  if (!plain && !check_quoted(offset)) {
    return;
  }
  if (next_role() == Role::key) {
    key(offset, text, plain);
    return;
  }
  check_indentation(offset, false);
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::string;
  node->place = source_.place(offset);
  node->text = std::move(text);
  const char first = at(offset);
  ends_in_block_ = !plain && (first == '|' || first == '>');
  if (plain) {
    plain_value(offset, *node);
  } else {
    node->style = ends_in_block_ ? Style::block : Style::quoted;
    check_text(offset, node->text, false);
  }
  attach(std::move(node));
}

void Tree::plain_value(std::size_t offset, Node& node) {
  const Plain plain = classify_plain(node.text);
  switch (plain.kind) {
    case PlainKind::string:
      return;
    case PlainKind::boolean:
      node.kind = Node::Kind::boolean;
      node.boolean = node.text == "true";
      return;
    case PlainKind::integer:
      node.kind = Node::Kind::integer;
      // Classified above: a decimal of 16 digits at most, so all of it is read.
      std::from_chars(node.text.data(), node.text.data() + node.text.size(), node.integer);
      return;
    case PlainKind::out_of_range:
      mistake("yaml.number_range", offset, "integer " + quoted(node.text) + " is out of range",
              "write an integer from -9007199254740991 to 9007199254740991, or quote it");
      return;
    case PlainKind::null:
    case PlainKind::ambiguous:
      mistake(
          "yaml.ambiguous_scalar", offset,
          quoted(node.text) + " reads as " + std::string(plain.reading) + " in some YAML readers",
          "quote it to mean the text; booleans are `true` and `false`, integers are decimal");
      return;
  }
}

/// Refuses anything but a comment behind the indicators of a block scalar.
void Tree::check_block_header(std::size_t offset) {
  const std::string_view text = source_.text();
  const std::size_t end = text.find_first_not_of("|>+-0123456789", offset);
  if (end != std::string_view::npos && !is_space(text[end])) {
    mistake("yaml.syntax", end, "text directly behind `|` or `>`",
            "put the text on the next line, or quote it");
  }
}

/// What readers disagree on inside of quotes: `\'` in double ones, and lines without text.
void Tree::check_inside_quotes(std::size_t offset, std::string_view inside) {
  if (at(offset) == '"') {
    for (std::size_t index = inside.find('\\'); index != std::string_view::npos;
         index = inside.find('\\', index + 2)) {
      if (inside.substr(index).starts_with("\\'")) {
        mistake("yaml.syntax", offset + 1 + index, "`\\'` is no escape",
                "write `'` as it is in double quotes");
      }
    }
  }
  const std::size_t first = std::min(inside.find_first_not_of(" \r\n"), inside.size());
  const std::size_t last = inside.find_last_not_of(" \r\n") + 1;  // npos + 1 is 0
  const auto line_feeds = [](std::string_view part) {
    return std::count(part.begin(), part.end(), '\n');
  };
  const bool blank = first == inside.size() && line_feeds(inside) > 0;
  if (blank || line_feeds(inside.substr(0, first)) > 1 || line_feeds(inside.substr(last)) > 1) {
    mistake("yaml.syntax", offset, "blank lines at the start or end of a quoted text",
            "write `\\n` in double quotes");
  }
}

/// Refuses a quote that is never closed and a `#` right behind one.
bool Tree::check_quoted(std::size_t offset) {
  const char first = at(offset);
  if (first == '|' || first == '>') {
    check_block_header(offset);
    return true;
  }
  if (first != '\'' && first != '"') {
    return true;
  }
  const std::size_t end = quoted_end(source_.text(), offset);
  if (end == std::string_view::npos) {
    forget_last();
    mistake("yaml.unterminated_quote", offset, "quote that is never closed",
            "close it; inside single quotes write `''` for a quote");
    stop();
    return false;
  }
  if (at(end) == '#') {
    mistake("yaml.syntax", end, "`#` right behind a quoted text", "put a space before the comment");
  }
  check_inside_quotes(offset,
                      std::string_view(source_.text()).substr(offset + 1, end - offset - 2));
  return true;
}

/// The source is checked for raw characters; escapes in double quotes can still name them.
void Tree::check_text(std::size_t offset, std::string_view text, bool is_key) {
  if (!find_deceptive(text)) {
    return;
  }
  for (std::size_t index = 0; index < text.size();) {
    const auto point = decode_utf8(text, index);
    if (!point) {
      mistake("yaml.deceptive_character", offset, "escape that names no character",
              "use escapes of whole Unicode characters");
      return;
    }
    const bool layout = point->value == U'\n' || point->value == U'\t';
    if (is_deceptive(point->value) && (is_key || !layout)) {
      mistake("yaml.deceptive_character", offset,
              std::string(is_key ? "key" : "text") +
                  " contains the invisible or control character `" +
                  printable(text.substr(index, point->bytes)) + "`",
              "remove it");
      return;
    }
    index += point->bytes;
  }
}

void Tree::bad_key(std::size_t offset, std::string_view message, std::string_view remedy) {
  mistake("yaml.key_type", offset, message, remedy);
  Frame& frame = frames_.back();
  frame.wants_key = false;
  frame.key_valid = false;
  frame.key_offset = offset;
}

/// Whether the key at `offset` is followed by a colon on its own line.
bool Tree::has_colon(std::size_t offset, std::string_view key, bool plain) const {
  const std::string_view text = source_.text();
  const char first = at(offset);
  if (first == '!' || first == '&' || first == '*') {
    return true;  // told already, and where the key itself starts is not known
  }
  std::size_t end = offset + key.size();
  if (!plain) {
    end = quoted_end(text, offset);
  } else if (text.substr(offset, key.size()) != key) {
    return false;  // folded from several lines
  }
  while (at(end) == ' ') {
    ++end;
  }
  return at(end) == ':';
}

/// `? key`, the long form, also with the key on a line of its own.
bool Tree::is_explicit_key(std::size_t offset) const {
  const std::string_view before = std::string_view(source_.text()).substr(0, offset);
  const std::size_t last = before.find_last_not_of(" \r\n");
  if (last == std::string_view::npos || last + 1 == offset || before[last] != '?') {
    return false;
  }
  // A `?` may also end the text of the line above.
  const std::size_t line = before.rfind('\n', last) + 1;  // npos + 1 is 0
  const std::string_view head = before.substr(line, last - line);
  const bool in_flow = frames_.back().flow;
  return head.find_first_not_of(" -?") == std::string_view::npos ||
         (in_flow && (head.ends_with('{') || head.ends_with(' ') || head.ends_with(',')));
}

void Tree::key(std::size_t offset, const std::string& text, bool plain) {
  if (text == "<<") {
    bad_key(offset, "`<<` is a merge key, which is not supported", "write the members out");
    mistakes_.back().code = "yaml.merge_key";
    return;
  }
  const char first = at(offset);
  if (text.empty() || first == '|' || first == '>') {
    bad_key(offset, "key is not a plain text on one line", "give the member a name");
    return;
  }
  if (is_explicit_key(offset)) {
    bad_key(offset, "key behind `? `", "write `key: value`");
    return;
  }
  if (!frames_.back().flow && !has_colon(offset, text, plain)) {
    // The parser makes a key of any text that stands alone in a mapping at the end of the file.
    bad_key(offset, "text that is no `key: value`",
            "put a colon and a space behind the key, or check the indentation");
    mistakes_.back().code = "yaml.syntax";
    return;
  }
  if (text.size() > kKeyBytesMax) {
    bad_key(offset, "key of more than " + std::to_string(kKeyBytesMax) + " bytes", "shorten it");
    return;
  }
  const Plain meaning = plain ? classify_plain(text) : Plain{};
  if (meaning.kind != PlainKind::string) {
    bad_key(offset, "key " + quoted(text) + " reads as " + std::string(meaning.reading),
            "quote the key");
    return;
  }
  check_text(offset, text, true);
  Frame& frame = frames_.back();
  frame.wants_key = false;
  frame.key_valid = true;
  frame.key_offset = offset;
  if (is_repeated(frame, text)) {
    frame.key_valid = false;
    const Member* earlier = frame.node->find(text);
    const std::string where =
        earlier == nullptr ? "" : ", first in line " + std::to_string(earlier->key_place.line);
    mistake("yaml.duplicate_key", offset, "key " + quoted(text) + " stands twice" + where,
            "keep one of them");
  }
  frame.key = text;
}

bool Tree::is_repeated(Frame& frame, const std::string& key) {
  const std::vector<Member>& members = frame.node->members;
  if (members.size() < kLinearKeysMax) {
    return frame.node->find(key) != nullptr;
  }
  if (frame.keys.empty()) {
    for (const Member& member : members) {
      frame.keys.insert(member.key);
    }
  }
  return !frame.keys.insert(key).second;
}

void Tree::attach(std::shared_ptr<Node> node) {
  if (frames_.empty()) {
    root_ = std::move(node);
    return;
  }
  Frame& frame = frames_.back();
  if (frame.node->kind == Node::Kind::sequence) {
    frame.node->items.push_back(std::move(node));
    return;
  }
  if (frame.key_valid) {
    frame.node->members.push_back(Member{.key = std::move(frame.key),
                                         .key_place = source_.place(frame.key_offset),
                                         .value = std::move(node)});
  }
  frame.key.clear();
  frame.wants_key = true;
}

void Tree::null(std::size_t offset) {
  const std::size_t before = last_offset_;
  if (!count_node(offset)) {
    return;
  }
  const Role role = next_role();
  const std::string_view rest =
      std::string_view(source_.text()).substr(std::min(offset, source_.text().size()));
  // An empty value is told at the next token, so `null` there may also be the next key.
  const std::size_t word = rest.starts_with('~') ? 1 : 4;
  const bool written =
      (rest.starts_with('~') || classify_plain(rest.substr(0, 4)).kind == PlainKind::null) &&
      !rest.empty() && (rest.size() <= word || rest[word] != ':');
  if (role == Role::key) {
    bad_key(offset, "key is empty or null", "give the member a name");
    return;
  }
  auto node = std::make_shared<Node>();
  node->place = source_.place(role == Role::value ? frames_.back().key_offset : offset);
  if (written) {
    explicit_null(offset);
  } else if (role == Role::item) {
    last_offset_ = before;
    mistake("yaml.empty_value", empty_item_offset(offset), "list item without a value",
            "write the value, or remove the `-`");
  } else if (role == Role::value && frames_.back().flow) {
    const Frame& frame = frames_.back();
    const bool colon = frame.key.find(':') != std::string::npos;
    mistake("yaml.empty_value", frame.key_offset,
            "key " + quoted(frame.key) + " has no value inside `{...}`",
            colon ? "put a space behind the colon"
                  : "write `{key: value}`; quote a text that contains braces");
  }
  attach(std::move(node));
}

void Tree::explicit_null(std::size_t offset) {
  const std::string_view text = source_.text();
  const std::size_t size = text[offset] == '~' ? 1 : 4;
  mistake("yaml.ambiguous_scalar", offset, quoted(text.substr(offset, size)) + " reads as null",
          "leave the key out, or quote the text");
}

/// The last `-` that starts a line before the next token; failing that, the next token itself.
std::size_t Tree::empty_item_offset(std::size_t next_offset) const {
  const std::string_view text = source_.text();
  std::size_t found = std::min(next_offset, text.size());
  bool line_start = true;
  for (std::size_t index = text.rfind('\n', last_offset_) + 1;
       index < std::min(next_offset, text.size()); ++index) {
    if (text[index] == '-' && line_start && index >= last_offset_ &&
        (index + 1 == text.size() || is_space(text[index + 1]))) {
      found = index;
    }
    line_start = text[index] == '\n' || (line_start && (text[index] == ' ' || text[index] == '-'));
  }
  return found;
}

void Tree::open_sequence(std::size_t offset) {
  open(offset, Node::Kind::sequence, at(offset) == '[');
}

void Tree::open_mapping(std::size_t offset) {
  const bool in_flow = !frames_.empty() && frames_.back().flow;
  if (in_flow && at(offset) != '{') {
    mistake("yaml.flow_pair", offset, "`key: value` without braces inside `[...]`",
            "write `{key: value}`, or quote the text");
  }
  open(offset, Node::Kind::mapping, in_flow || at(offset) == '{');
}

void Tree::open(std::size_t offset, Node::Kind kind, bool flow) {
  if (!count_node(offset)) {
    return;
  }
  if (frames_.size() >= kDepthMax) {
    mistake("yaml.too_deep", offset, "nested deeper than " + std::to_string(kDepthMax) + " levels",
            "flatten the value");
    stop();
    return;
  }
  check_indentation(offset, at(offset) == '-');
  Frame frame;
  frame.role = next_role();
  frame.flow = flow;
  frame.offset = offset;
  frame.node = std::make_shared<Node>();
  frame.node->kind = kind;
  frame.node->place = source_.place(offset);
  if (frame.role == Role::key) {
    bad_key(offset, "key is a list or a mapping", "use a text as key");
  }
  frames_.push_back(std::move(frame));
}

void Tree::close() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  if (frame.role != Role::key) {
    attach(std::move(frame.node));
  }
}

}  // namespace rgx::yaml
