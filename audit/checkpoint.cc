#include "audit/checkpoint.h"

#include "audit/crypto.h"
#include "base/check.h"
#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

namespace rgx::audit {
namespace {

constexpr std::string_view kOriginPrefix = "rgx/";
constexpr std::string_view kSignatureHead = "\xe2\x80\x94 ";  // em dash and a space
constexpr std::size_t kLogIdSize = 32;
constexpr std::size_t kKeyIdSize = 4;
constexpr std::size_t kKeyNameBytesMax = 255;
constexpr std::size_t kNoteBytesMax = 16384;
constexpr std::size_t kSignaturesMax = 16;
constexpr char kEd25519Algorithm = 0x01;

struct NoteSignature {
  std::string_view name;
  std::string bytes;  // key id and signature
};

struct Note {
  std::string_view text;  // with its last line feed
  std::vector<NoteSignature> signatures;
};

tl::unexpected<Error> syntax(const std::string& message) {
  return fail(ErrorKind::usage, "checkpoint.syntax", message,
              "docs/formats/checkpoint.md shows the form");
}

std::string raw_bytes(const Digest& digest) {
  return {digest.bytes().begin(), digest.bytes().end()};
}

bool is_key_name(std::string_view name) {
  return !name.empty() && name.size() <= kKeyNameBytesMax && is_utf8(name) &&
         !find_deceptive(name) && name.find_first_of(" +") == std::string_view::npos &&
         name.find("\xe3\x80\x80") == std::string_view::npos &&  // ideographic space
         name.find("\xc2\xa0") == std::string_view::npos;        // no-break space
}

std::string key_id(std::string_view name, std::string_view raw_public_key) {
  std::string bytes(name);
  bytes += '\n';
  bytes += kEd25519Algorithm;
  bytes += raw_public_key;
  return raw_bytes(digest_bytes(bytes)).substr(0, kKeyIdSize);
}

Result<Checkpoint> parse_text(std::string_view text) {
  const std::vector<std::string_view> lines = split(text, '\n');
  if (lines.size() != 4 || !lines[3].empty()) {
    return syntax("a checkpoint has three lines: origin, size and root");
  }
  Checkpoint checkpoint;
  checkpoint.origin = std::string(lines[0]);
  const bool is_origin = lines[0].starts_with(kOriginPrefix) &&
                         lines[0].size() == kOriginPrefix.size() + kLogIdSize &&
                         lines[0].find_first_not_of("0123456789abcdef", kOriginPrefix.size()) ==
                             std::string_view::npos;
  if (!is_origin) {
    return syntax("the origin is not `rgx/` and a log id");
  }
  const std::string_view size = lines[1];
  const auto [end, error] =
      std::from_chars(size.data(), size.data() + size.size(), checkpoint.size);
  if (error != std::errc() || end != size.data() + size.size() ||
      checkpoint.size > static_cast<std::uint64_t>(Json::kIntegerMax) ||
      std::to_string(checkpoint.size) != size) {
    return syntax("the size is not a decimal number");
  }
  const Result<std::string> root = from_base64(lines[2]);
  if (!root || root->size() != Digest::kSize) {
    return syntax("the root is not base64 of 32 bytes");
  }
  Digest::Array bytes{};
  std::copy(root->begin(), root->end(), bytes.begin());
  checkpoint.root = Digest(bytes);
  return checkpoint;
}

Result<NoteSignature> parse_signature(std::string_view line) {
  if (!line.starts_with(kSignatureHead)) {
    return syntax("a signature line does not begin with an em dash and a space");
  }
  line.remove_prefix(kSignatureHead.size());
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || !is_key_name(line.substr(0, space))) {
    return syntax("a signature line has no key name");
  }
  const Result<std::string> bytes = from_base64(line.substr(space + 1));
  if (!bytes || bytes->size() <= kKeyIdSize) {
    return syntax("a signature line has no signature in base64");
  }
  return NoteSignature{line.substr(0, space), *bytes};
}

Result<Note> parse_note(std::string_view bytes) {
  if (bytes.size() > kNoteBytesMax) {
    return syntax("the note is longer than 16,384 bytes");
  }
  if (!is_utf8(bytes) || !bytes.ends_with('\n')) {
    return syntax("the note is not UTF-8 text that ends with a line feed");
  }
  const std::size_t split_at = bytes.rfind("\n\n");
  if (split_at == std::string_view::npos) {
    return syntax("there is no empty line between checkpoint and signatures");
  }
  Note note{bytes.substr(0, split_at + 1), {}};
  std::string_view rest = bytes.substr(split_at + 2);
  rest.remove_suffix(rest.empty() ? 0 : 1);
  for (const std::string_view line : split(rest, '\n')) {
    RGX_TRY(NoteSignature signature, parse_signature(line));
    note.signatures.push_back(std::move(signature));
    if (note.signatures.size() > kSignaturesMax) {
      return syntax("the note has more than 16 signatures");
    }
  }
  return note;
}

}  // namespace

std::string checkpoint_text(const Checkpoint& checkpoint) {
  return checkpoint.origin + "\n" + std::to_string(checkpoint.size) + "\n" +
         to_base64(checkpoint.root.bytes()) + "\n";
}

std::string sign_checkpoint(const Checkpoint& checkpoint, std::string_view key_name,
                            const SigningKey& key) {
  RGX_CHECK(is_key_name(key_name));
  const std::string text = checkpoint_text(checkpoint);
  const Result<std::string> raw_key = parse_public_key(key.public_key());
  RGX_CHECK(raw_key.has_value());
  std::string signature = key_id(key_name, *raw_key);
  signature += key.sign_raw(text);
  std::string note = text;
  note += '\n';
  note += kSignatureHead;
  note += key_name;
  note += ' ';
  note += to_base64(as_bytes(signature));
  note += '\n';
  return note;
}

Result<Checkpoint> read_checkpoint(std::string_view bytes) {
  RGX_TRY(const Note note, parse_note(bytes));
  return parse_text(note.text);
}

Result<Checkpoint> open_checkpoint(std::string_view bytes, std::string_view key_name,
                                   std::string_view public_key) {
  RGX_TRY(const std::string raw_key, parse_public_key(public_key));
  RGX_TRY(const Note note, parse_note(bytes));
  const std::string id = key_id(key_name, raw_key);
  bool is_signed = false;
  for (const NoteSignature& signature : note.signatures) {
    if (signature.name != key_name || !signature.bytes.starts_with(id)) {
      continue;  // another key's: says nothing to us
    }
    if (!ed25519_verify(raw_key, as_bytes(note.text),
                        std::string_view(signature.bytes).substr(kKeyIdSize))) {
      return fail(ErrorKind::evidence, "checkpoint.signature",
                  "the checkpoint's signature does not verify",
                  "the note was changed, or it is from another key of that name");
    }
    is_signed = true;
  }
  if (!is_signed) {
    return fail(ErrorKind::evidence, "checkpoint.signature",
                "the checkpoint carries no signature of the given key",
                "check the key's name and the public key");
  }
  return parse_text(note.text);
}

}  // namespace rgx::audit
