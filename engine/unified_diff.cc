#include "engine/unified_diff.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/text.h"
#include "engine/text_edit.h"

namespace rgx::engine {

namespace {

constexpr std::size_t kDiffBytesMax = std::size_t{1} << 20;
constexpr std::size_t kHunksMax = 1000;
constexpr std::size_t kPlacesTriedMax = 2'000'000;  // lines looked at for a hunk that moved
constexpr std::int64_t kLineMax = 100'000'000;

/// Lines with their ends; the last one may have none.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) {
    line.remove_suffix(1);
  }
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lines_(lines_of(text)) {}

  Result<UnifiedDiff> run();

 private:
  [[nodiscard]] tl::unexpected<Error> mistake(const std::string& what) const {
    return fail(ErrorKind::failed, "patch.syntax",
                "line " + std::to_string(at_ + 1) + " of the diff: " + what,
                "give the output of `git diff` or `diff -u` as it is");
  }
  [[nodiscard]] bool done() const { return at_ >= lines_.size(); }

  Status head();
  Result<Hunk> hunk();
  Status hunk_line(Hunk& hunk, std::int64_t& old_left, std::int64_t& new_left);

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  UnifiedDiff diff_;
};

bool take(std::string_view& text, std::string_view head) {
  if (!text.starts_with(head)) {
    return false;
  }
  text.remove_prefix(head.size());
  return true;
}

std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > kLineMax || text.starts_with('-')) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// `12,3` or `12`
bool take_range(std::string_view& text, std::int64_t& start, std::int64_t& count) {
  const auto first = take_number(text);
  if (!first) {
    return false;
  }
  start = *first;
  count = 1;
  if (take(text, ",")) {
    const auto second = take_number(text);
    if (!second) {
      return false;
    }
    count = *second;
  }
  return true;
}

/// What stands before the first hunk: names, which the step's own path makes meaningless.
Status Parser::head() {
  bool named = false;
  for (; !done(); ++at_) {
    std::string_view line = without_end(lines_[at_]);
    if (line.starts_with("@@ ")) {
      return {};
    }
    if (line.starts_with("GIT binary patch") || line.starts_with("Binary files ")) {
      return mistake("a binary patch");
    }
    if (take(line, "--- ")) {
      if (named) {
        return fail(ErrorKind::failed, "patch.many_files", "the diff is about more than one file",
                    "use one step for each file");
      }
      named = true;
      diff_.makes_file = line == "/dev/null";
    } else if (named && take(line, "+++ ")) {
      diff_.deletes_file = line == "/dev/null";
    }
  }
  return mistake("there is no hunk (`@@ -1,2 +1,3 @@`)");
}

Status Parser::hunk_line(Hunk& hunk, std::int64_t& old_left, std::int64_t& new_left) {
  std::string_view line = lines_[at_];
  // Editors take the blank of an empty kept line away.
  const bool bare = line == "\n" || line == "\r\n";
  const char kind = bare ? ' ' : line.front();
  if (kind != ' ' && kind != '-' && kind != '+') {
    return mistake("the hunk ends before its counts are reached");
  }
  if (!bare) {
    line.remove_prefix(1);
  }
  old_left -= kind == '+' ? 0 : 1;
  new_left -= kind == '-' ? 0 : 1;
  if (old_left < 0 || new_left < 0) {
    return mistake("the hunk has more lines than its counts say");
  }
  std::string text(line);
  if (!text.ends_with('\n')) {
    text += '\n';  // the diff itself ends here; only `\ No newline` says so of the file
  }
  ++at_;
  if (!done() && lines_[at_].starts_with("\\ ")) {
    text.pop_back();
    ++at_;
  }
  hunk.lines.push_back({kind, std::move(text)});
  return {};
}

Result<Hunk> Parser::hunk() {
  Hunk hunk;
  std::string_view line = without_end(lines_[at_]);
  if (!take(line, "@@ -") || !take_range(line, hunk.old_start, hunk.old_count) ||
      !take(line, " +") || !take_range(line, hunk.new_start, hunk.new_count) ||
      !take(line, " @@")) {
    return mistake("`@@ -START,COUNT +START,COUNT @@` is malformed");
  }
  std::int64_t old_left = hunk.old_count;
  std::int64_t new_left = hunk.new_count;
  ++at_;
  while (old_left > 0 || new_left > 0) {
    if (done()) {
      return mistake("the hunk ends before its counts are reached");
    }
    RGX_TRY_STATUS(hunk_line(hunk, old_left, new_left));
  }
  if (hunk.lines.empty()) {
    --at_;
    return mistake("the hunk is empty");
  }
  return hunk;
}

Result<UnifiedDiff> Parser::run() {
  RGX_TRY_STATUS(head());
  while (!done()) {
    const std::string_view line = without_end(lines_[at_]);
    if (line.starts_with("diff ") || line.starts_with("--- ")) {
      return fail(ErrorKind::failed, "patch.many_files", "the diff is about more than one file",
                  "use one step for each file");
    }
    if (line.empty()) {
      ++at_;
      continue;
    }
    if (diff_.hunks.size() == kHunksMax) {
      return fail(ErrorKind::failed, "patch.too_large", "the diff has more than 1000 hunks",
                  "use several steps");
    }
    RGX_TRY(Hunk next, hunk());
    diff_.hunks.push_back(std::move(next));
  }
  return std::move(diff_);
}

/// What a hunk expects to find, line by line.
std::vector<std::string_view> expected_lines(const Hunk& hunk) {
  std::vector<std::string_view> lines;
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '+') {
      lines.push_back(line.text);
    }
  }
  return lines;
}

class Applier {
 public:
  Applier(std::string_view bytes, std::string_view path) : lines_(lines_of(bytes)), path_(path) {}

  Status apply(const Hunk& hunk);
  Result<std::string> finish() {
    copy_until(lines_.size());
    if (out_.size() > kEditBytesMax) {
      return fail(ErrorKind::failed, "edit.too_large",
                  "`" + printable(path_) + "` would have more than 16 MiB",
                  "leave the file out, or edit it another way");
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool fits(const std::vector<std::string_view>& expected, std::size_t at) const {
    return at + expected.size() <= lines_.size() &&
           std::equal(expected.begin(), expected.end(),
                      lines_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  [[nodiscard]] Result<std::size_t> find(const Hunk& hunk,
                                         const std::vector<std::string_view>& expected) const;
  void copy_until(std::size_t end) {
    for (; at_ < end; ++at_) {
      out_ += lines_[at_];
    }
  }

  std::vector<std::string_view> lines_;
  std::string_view path_;
  std::string out_;
  std::size_t at_ = 0;      // first line that is not copied yet
  std::int64_t shift_ = 0;  // how far the hunk before was from its stated place
};

Result<std::size_t> Applier::find(const Hunk& hunk,
                                  const std::vector<std::string_view>& expected) const {
  // A hunk without old lines names the line *behind* which it adds.
  const std::int64_t stated = hunk.old_start - (hunk.old_count == 0 ? 0 : 1) + shift_;
  if (stated >= static_cast<std::int64_t>(at_) &&
      fits(expected, static_cast<std::size_t>(stated))) {
    return static_cast<std::size_t>(stated);
  }
  std::optional<std::size_t> found;
  std::size_t tried = 0;
  for (std::size_t at = at_; !expected.empty() && at + expected.size() <= lines_.size(); ++at) {
    if (++tried > kPlacesTriedMax) {
      break;
    }
    if (!fits(expected, at)) {
      continue;
    }
    if (found) {
      return fail(ErrorKind::failed, "patch.not_unique",
                  "hunk `-" + std::to_string(hunk.old_start) + "` fits `" + printable(path_) +
                      "` at several places, and not where it says",
                  "make the diff again, with more context");
    }
    found = at;
  }
  if (!found) {
    return fail(
        ErrorKind::failed, "patch.no_match",
        "hunk `-" + std::to_string(hunk.old_start) + "` does not fit `" + printable(path_) + "`",
        "make the diff again from the file as it is now");
  }
  return *found;
}

Status Applier::apply(const Hunk& hunk) {
  const auto expected = expected_lines(hunk);
  RGX_TRY(const std::size_t place, find(hunk, expected));
  shift_ = static_cast<std::int64_t>(place) - (hunk.old_start - (hunk.old_count == 0 ? 0 : 1));
  copy_until(place);
  for (const DiffLine& line : hunk.lines) {
    if (line.kind != '-') {
      out_ += line.text;
    }
  }
  at_ += expected.size();
  return {};
}

}  // namespace

Result<UnifiedDiff> parse_unified_diff(std::string_view text) {
  if (text.size() > kDiffBytesMax) {
    return fail(ErrorKind::failed, "patch.too_large", "the diff has more than 1 MiB",
                "use several steps");
  }
  return Parser(text).run();
}

Result<std::string> apply_unified_diff(std::string_view bytes, const UnifiedDiff& diff,
                                       std::string_view path) {
  Applier applier(bytes, path);
  for (const Hunk& hunk : diff.hunks) {
    RGX_TRY_STATUS(applier.apply(hunk));
  }
  return applier.finish();
}

}  // namespace rgx::engine
