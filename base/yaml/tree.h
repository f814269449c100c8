#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/yaml/reader.h"
#include "base/yaml/source.h"

// Builds nodes from parser events and refuses what the subset leaves out, going on after each
// mistake as long as the events make sense. Not for use outside base/yaml.

namespace rgx::yaml {

inline constexpr std::size_t kKeyBytesMax = 256;

class Tree {
 public:
  explicit Tree(const Source& source) : source_(source) {}

  // Offsets are byte offsets into source.text(). After `stopped()` no event may follow.
  void scalar(std::size_t offset, std::string text, bool plain);
  /// An empty value; `offset` is where the next token stands, which may be the text `null`.
  void null(std::size_t offset);
  void open_sequence(std::size_t offset);
  void open_mapping(std::size_t offset);
  void close();
  void document(std::size_t offset);

  /// Properties that the subset refuses; the node itself follows.
  void anchor(std::size_t offset);
  void alias(std::size_t offset);
  void tag(std::size_t offset);

  void mistake(std::string_view code, std::size_t offset, std::string_view message,
               std::string_view remedy);

  [[nodiscard]] bool stopped() const { return stopped_; }
  /// Where the last event stood: for errors that carry no place.
  [[nodiscard]] std::size_t last_offset() const { return last_offset_; }
  /// The last scalar was a block, which reaches to the end of the file.
  [[nodiscard]] bool ends_in_block() const { return ends_in_block_; }
  /// Where the innermost bracket stands that is still open, if any.
  [[nodiscard]] std::optional<std::size_t> open_bracket() const;
  /// Forgets what the last event led to: at a broken end that is an echo of the break.
  void forget_last();
  [[nodiscard]] const std::shared_ptr<Node>& root() const { return root_; }
  [[nodiscard]] std::vector<Diagnostic>& mistakes() { return mistakes_; }

 private:
  enum class Role : std::uint8_t { key, value, item, root };

  struct Frame {
    std::shared_ptr<Node> node;
    Role role = Role::root;  ///< of the collection in its parent
    bool flow = false;
    std::size_t offset = 0;
    bool wants_key = true;  ///< mappings only
    bool key_valid = false;
    std::string key;
    std::size_t key_offset = 0;
    std::set<std::string, std::less<>> keys;  ///< filled once members are many
  };

  [[nodiscard]] Role next_role() const;
  bool count_node(std::size_t offset);
  void open(std::size_t offset, Node::Kind kind, bool flow);
  void attach(std::shared_ptr<Node> node);
  void key(std::size_t offset, const std::string& text, bool plain);
  void bad_key(std::size_t offset, std::string_view message, std::string_view remedy);
  [[nodiscard]] static bool is_repeated(Frame& frame, const std::string& key);
  void plain_value(std::size_t offset, Node& node);
  bool check_quoted(std::size_t offset);
  void check_inside_quotes(std::size_t offset, std::string_view inside);
  void check_block_header(std::size_t offset);
  void check_indentation(std::size_t offset, bool dashes);
  void check_text(std::size_t offset, std::string_view text, bool is_key);
  void explicit_null(std::size_t offset);
  [[nodiscard]] std::size_t empty_item_offset(std::size_t next_offset) const;
  [[nodiscard]] char at(std::size_t offset) const;
  [[nodiscard]] bool has_colon(std::size_t offset, std::string_view key, bool plain) const;
  [[nodiscard]] bool is_explicit_key(std::size_t offset) const;
  void stop() { stopped_ = true; }

  const Source& source_;
  std::vector<Frame> frames_;
  std::shared_ptr<Node> root_;
  std::vector<Diagnostic> mistakes_;
  std::size_t nodes_ = 0;
  std::size_t documents_ = 0;
  std::size_t last_offset_ = 0;
  bool stopped_ = false;
  bool ends_in_block_ = false;
};

}  // namespace rgx::yaml
