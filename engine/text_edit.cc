#include "engine/text_edit.h"

#include <cstring>

#include "base/check.h"
#include "base/text.h"
#include "templates/regex.h"

namespace rgx::engine {

namespace {

constexpr std::size_t kBinaryProbeBytes = 8000;

bool is_word_byte(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_' || static_cast<unsigned char>(byte) >= 0x80U;
}

bool is_whole_word(std::string_view bytes, std::size_t start, std::string_view needle) {
  const std::size_t end = start + needle.size();
  return (start == 0 || !is_word_byte(bytes[start - 1]) || !is_word_byte(needle.front())) &&
         (end == bytes.size() || !is_word_byte(bytes[end]) || !is_word_byte(needle.back()));
}

tl::unexpected<Error> too_large(std::string_view path) {
  return fail(ErrorKind::failed, "edit.too_large",
              "`" + printable(path) + "` has or would have more than 16 MiB",
              "leave the file out, or edit it another way");
}

/// One edit over the whole text.
Result<EditedText> apply_edit(std::string_view bytes, std::string_view needle, Boundary boundary,
                              std::string_view to, std::string_view path) {
  EditedText edited;
  std::size_t copied = 0;
  for (std::size_t at = find_match(bytes, needle, boundary, 0); at != std::string_view::npos;
       at = find_match(bytes, needle, boundary, copied)) {
    edited.bytes.append(bytes.substr(copied, at - copied));
    edited.bytes.append(to);
    copied = at + needle.size();
    ++edited.replacements;
    if (edited.bytes.size() > kEditBytesMax) {
      return too_large(path);
    }
  }
  edited.bytes.append(bytes.substr(copied));
  return edited;
}

/// Replaces every match of a pattern in place.
Result<std::int64_t> apply_pattern(std::string& bytes, const Json& pattern, std::string_view to,
                                   std::string_view path) {
  RGX_TRY(const auto regex, templates::Regex::parse(pattern.as_string()));
  RGX_TRY_STATUS(regex.check_replacement(to));
  const auto replaced = regex.replace_all(bytes, to, kEditBytesMax);
  if (!replaced) {
    return too_large(path);
  }
  if (replaced->count == 0) {
    return fail(
        ErrorKind::failed, "edit.no_match",
        "`" + printable(pattern.as_string()) + "` matches nothing in `" + printable(path) + "`",
        "compile the plan again, or correct the edit");
  }
  bytes = replaced->bytes;
  return replaced->count;
}

}  // namespace

bool is_binary(std::string_view bytes) {
  return bytes.substr(0, kBinaryProbeBytes).find('\0') != std::string_view::npos;
}

std::size_t find_match(std::string_view bytes, std::string_view needle, Boundary boundary,
                       std::size_t from) {
  RGX_CHECK(!needle.empty());
  while (from + needle.size() <= bytes.size()) {
    const void* hit =
        memmem(bytes.data() + from, bytes.size() - from, needle.data(), needle.size());
    if (hit == nullptr) {
      break;
    }
    const auto start = static_cast<std::size_t>(static_cast<const char*>(hit) - bytes.data());
    if (boundary == Boundary::anywhere || is_whole_word(bytes, start, needle)) {
      return start;
    }
    from = start + 1;
  }
  return std::string_view::npos;
}

namespace {

/// Whether every line ends in CR LF, and there is one.
bool has_crlf_lines(std::string_view bytes) {
  bool any = false;
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos;
       at = bytes.find('\n', at + 1)) {
    if (at == 0 || bytes[at - 1] != '\r') {
      return false;
    }
    any = true;
  }
  return any;
}

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' && !out.ends_with('\r')) {
      out += '\r';
    }
    out += c;
  }
  return out;
}

}  // namespace

Result<EditedText> apply_edits(std::string bytes, const Json& edits, std::string_view path) {
  if (bytes.size() > kEditBytesMax) {
    return too_large(path);
  }
  if (is_binary(bytes)) {
    return fail(ErrorKind::failed, "edit.binary", "`" + printable(path) + "` is a binary file",
                "leave the file out");
  }
  const bool crlf = has_crlf_lines(bytes);
  EditedText all{std::move(bytes), 0};
  for (const Json& edit : edits.as_array()) {
    const std::string& written = edit.find("to")->as_string();
    const std::string to = crlf ? with_crlf(written) : written;
    if (const Json* pattern = edit.find("pattern")) {
      RGX_TRY(const std::int64_t count, apply_pattern(all.bytes, *pattern, to, path));
      all.replacements += count;
      continue;
    }
    const Json* word = edit.find("word");
    const Json* anchor = edit.find("anchor");
    const Json* finder = word != nullptr ? word : anchor != nullptr ? anchor : edit.find("text");
    const std::string needle = crlf ? with_crlf(finder->as_string()) : finder->as_string();
    RGX_TRY(EditedText edited,
            apply_edit(all.bytes, needle, word != nullptr ? Boundary::word : Boundary::anywhere, to,
                       path));
    if (edited.replacements == 0) {
      return fail(ErrorKind::failed, "edit.no_match",
                  "`" + printable(needle) + "` does not occur in `" + printable(path) + "`",
                  "compile the plan again, or correct the edit");
    }
    if (anchor != nullptr && edited.replacements != 1) {
      return fail(ErrorKind::failed, "edit.not_unique",
                  "`" + printable(needle) + "` occurs more than once in `" + printable(path) + "`",
                  "give `anchor` more text around the place, or use `text` to change all of them");
    }
    if (edited.bytes.size() > kEditBytesMax) {
      return too_large(path);
    }
    all.bytes = std::move(edited.bytes);
    all.replacements += edited.replacements;
  }
  return all;
}

}  // namespace rgx::engine
