#include "base/yaml/reader.h"

#include "base/text.h"
#include "base/yaml/source.h"
#include "base/yaml/tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

// The only file that sees yaml-cpp. Its exceptions end here.

namespace rgx::yaml {

namespace {

/// Each alias makes the parser give up; so many times it is patched over and tried again.
constexpr int kAttemptsMax = 8;

/// Longer keys the parser does not recognise as such.
constexpr std::size_t kParserKeyBytes = 1000;

/// Ends a parse from inside an event, once the tree has stopped.
struct Stopped {};

std::size_t offset_of(const YAML::Mark& mark) {
  return mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos);
}

class Events final : public YAML::EventHandler {
 public:
  Events(Tree& tree, std::string_view text) : tree_(tree), text_(text) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    tree_.document(std::min(offset_of(mark), text_.size()));
    check();
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    properties(mark, "?", anchor);
    tree_.null(mark.is_null() ? text_.size() : offset_of(mark));
    check();
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    tree_.alias(offset_of(mark));
    tree_.scalar(offset_of(mark), "*", true);
    check();
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    properties(mark, tag, anchor);
    tree_.scalar(offset_of(mark), value, tag == "?" || tag.empty());
    check();
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    properties(mark, tag, anchor);
    tree_.open_sequence(offset_of(mark));
    check();
  }
  void OnSequenceEnd() override {
    tree_.close();
    check();
  }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    properties(mark, tag, anchor);
    tree_.open_mapping(offset_of(mark));
    check();
  }
  void OnMapEnd() override {
    tree_.close();
    check();
  }

 private:
  /// A quoted scalar has the tag `!`, as has a plain one behind `! `: the source tells them apart.
  void properties(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const std::size_t offset = offset_of(mark);
    const char first = offset < text_.size() ? text_[offset] : '\0';
    if (anchor != 0) {
      tree_.anchor(offset);
    }
    if (first == '!' || (!tag.empty() && tag != "?" && tag != "!")) {
      tree_.tag(offset);
    }
  }

  void check() const {
    if (tree_.stopped()) {
      throw Stopped{};
    }
  }

  Tree& tree_;
  std::string_view text_;
};

/// What the parser said when it gave up.
struct Refusal {
  std::string reason;
  std::size_t offset = 0;
};

/// The first quote from `offset` on that is never closed.
std::optional<std::size_t> find_open_quote(std::string_view text, std::size_t offset) {
  char before = ' ';
  while (offset < text.size()) {
    const char c = text[offset];
    const bool token_start =
        std::string_view(" \n[{,:-").find(before) != std::string_view::npos || offset == 0;
    if (c == '#' && (before == ' ' || before == '\n')) {
      offset = std::min(text.find('\n', offset), text.size());
    } else if ((c == '"' || c == '\'') && token_start) {
      const std::size_t end = quoted_end(text, offset);
      if (end == std::string_view::npos) {
        return offset;
      }
      offset = end;
    } else {
      ++offset;
    }
    before = c;
  }
  return std::nullopt;
}

/// The parser forgets a key after about 1,024 bytes and then stumbles over its colon.
std::optional<std::size_t> find_long_key(std::string_view text, const Refusal& refusal,
                                         std::size_t offset) {
  if (refusal.reason != "illegal map value") {
    return std::nullopt;
  }
  const std::string_view before = text.substr(0, offset);
  const std::size_t line = before.rfind('\n') + 1;  // npos + 1 is 0
  const std::size_t key = before.find_first_not_of(" -[{,", line);
  if (key == std::string_view::npos || offset - key < kParserKeyBytes) {
    return std::nullopt;
  }
  return key;
}

std::string_view remedy_for(const Refusal& refusal, char first) {
  if (first == '@' || first == '`' || first == '%') {
    return "quote a text that starts with this character";
  }
  if (refusal.reason == "illegal map value") {
    return "quote a text that contains `: `, and check the indentation";
  }
  return "check indentation, quotes and brackets around this place";
}

/// Words a refusal as a mistake of the tree.
void explain(const Source& source, const Refusal& refusal, Tree& tree) {
  const std::string_view text = source.text();
  if (refusal.offset + 4 >= text.size() || refusal.reason.find("in scalar") != std::string::npos) {
    if (const auto quote = find_open_quote(text, tree.last_offset())) {
      tree.mistake("yaml.unterminated_quote", *quote, "quote that is never closed",
                   "close it; inside single quotes write `''` for a quote");
      return;
    }
  }
  const auto bracket = tree.open_bracket();
  if (bracket && (refusal.reason.starts_with("end of map flow") ||
                  refusal.reason.starts_with("end of sequence flow"))) {
    tree.forget_last();
    tree.mistake("yaml.syntax", *bracket,
                 std::string("`") + text[*bracket] + "` that is never closed",
                 "close the bracket, or quote a text that starts with one");
    return;
  }
  const std::size_t offset = std::min(refusal.offset, text.size());
  if (const auto key = find_long_key(text, refusal, offset)) {
    tree.mistake("yaml.key_type", *key,
                 "key of more than " + std::to_string(kKeyBytesMax) + " bytes",
                 "shorten it; quote a text that contains `: `");
    return;
  }
  std::string message = "invalid YAML: " + printable(refusal.reason);
  if (bracket) {
    message += std::string(", inside the `") + text[*bracket] + "` of line " +
               std::to_string(source.place(*bracket).line);
  }
  const char first = offset < text.size() ? text[offset] : '\0';
  tree.mistake("yaml.syntax", offset, message, remedy_for(refusal, first));
}

/// One pass of the parser over the source; nothing when it reached the end.
std::optional<Refusal> run_parser(const Source& source, Tree& tree) {
  Events events(tree, source.text());
  try {
    std::istringstream stream(source.text());
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(events)) {
    }
    return std::nullopt;
  } catch (const Stopped&) {
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    const bool placed = !error.mark.is_null() && (error.mark.pos > 0 || tree.last_offset() == 0);
    return Refusal{.reason = error.msg,
                   .offset = placed ? offset_of(error.mark) : tree.last_offset()};
  } catch (const std::exception& error) {
    return Refusal{.reason = error.what(), .offset = tree.last_offset()};
  }
}

/// Where the alias starts that made the parser give up, if that was the reason.
std::optional<std::size_t> refused_alias(const Source& source, const Refusal& refusal) {
  const std::string_view text = source.text();
  if (refusal.reason.find("alias") == std::string::npos &&
      refusal.reason.find("referenced anchor") == std::string::npos) {
    return std::nullopt;
  }
  // The mark is at the star or behind the characters of the name.
  std::size_t offset = std::min(refusal.offset, text.empty() ? 0 : text.size() - 1);
  while (offset > 0 && text[offset] != '*' && text[offset] != '\n') {
    --offset;
  }
  while (offset > 0 && text[offset] == '*' && text[offset - 1] == '*') {
    --offset;
  }
  if (text.empty() || text[offset] != '*') {
    return std::nullopt;
  }
  return offset;
}

Result<Node> finish(std::vector<Diagnostic> mistakes, const Tree& tree) {
  if (mistakes.empty() && tree.root() != nullptr) {
    return *tree.root();
  }
  sort_by_place(mistakes);
  return fail(Error{.kind = ErrorKind::usage, .diagnostics = std::move(mistakes)});
}

tl::unexpected<Error> too_large(std::size_t size, std::string_view name) {
  return fail(ErrorKind::usage, "yaml.too_large",
              "file of " + std::to_string(size) + " bytes exceeds the limit of " +
                  std::to_string(kFileBytesMax),
              "split the file", Place{.file = std::string(name)});
}

}  // namespace

Result<Node> parse(std::string_view text, std::string_view name) {
  if (text.size() > kFileBytesMax) {
    return too_large(text.size(), name);
  }
  Source source(text, name);
  std::vector<Diagnostic> mistakes = std::move(source.mistakes());
  if (source.hopeless()) {
    return finish(std::move(mistakes), Tree(source));
  }
  // Refused bytes were replaced, so what the grammar then says may be an echo of that.
  const bool bytes_refused = !mistakes.empty();
  for (int attempt = 1;; ++attempt) {
    Tree tree(source);
    const std::optional<Refusal> refusal = run_parser(source, tree);
    const auto alias = refusal ? refused_alias(source, *refusal) : std::nullopt;
    if (alias) {
      Tree note(source);
      note.alias(*alias);
      mistakes.push_back(note.mistakes().front());
      if (attempt < kAttemptsMax) {
        source.patch(*alias, 'x');
        continue;
      }
    } else if (refusal && !bytes_refused) {
      explain(source, *refusal, tree);
    }
    if (source.ends_in_blanks() && tree.ends_in_block()) {
      tree.mistake("yaml.syntax", source.text().size(), "blanks at the end of a block text",
                   "end the file with a line feed");
    }
    mistakes.insert(mistakes.end(), tree.mistakes().begin(), tree.mistakes().end());
    if (mistakes.empty() && (tree.root() == nullptr || tree.root()->kind == Node::Kind::null)) {
      return fail(ErrorKind::usage, "yaml.empty_document", "file contains no value",
                  "write a mapping", source.place(0));
    }
    return finish(std::move(mistakes), tree);
  }
}

}  // namespace rgx::yaml
