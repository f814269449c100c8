#include "audit/crypto.h"
#include "audit/keys.h"
#include "audit/posix_file.h"
#include "base/text.h"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

// Key files: docs/formats/keys.md

namespace rgx::audit {
namespace {

constexpr std::string_view kHead = "rgx-root-key/v1\nid: ";
constexpr std::string_view kMiddle = "\nsecret: ";
constexpr std::size_t kIdSize = 16;
constexpr std::size_t kSecretHexSize = 2 * SecretKey::kSize;
constexpr std::size_t kFileSize = kHead.size() + kIdSize + kMiddle.size() + kSecretHexSize + 1;
constexpr std::size_t kKeyFileBytesMax = 16384;
constexpr unsigned kOwnerOnly = 0600;
constexpr unsigned kGroupAndOthers = 077;

Place in_file(std::string_view path) {
  return Place{std::string(path), 0, 0};
}

Status check_safe(const struct stat& status, const std::string& path) {
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorKind::environment, "key.not_a_file", "the key is not a regular file",
                "name the file that `rgx init` made", in_file(path));
  }
  if (status.st_uid != ::geteuid() && status.st_uid != 0) {
    return fail(ErrorKind::environment, "key.unsafe_owner",
                "the key file belongs to another user, who could replace it",
                "copy it to a file of your own: `install -m 600 " + path + " NEW`", in_file(path));
  }
  if ((status.st_mode & kGroupAndOthers) != 0) {
    return fail(ErrorKind::environment, "key.unsafe_mode",
                "others than its owner can read or write the key file",
                "`chmod 600 " + path + "`, and consider the key known to them", in_file(path));
  }
  return {};
}

Result<std::string> read_key_file(const std::string& path) {
  FileDescriptor file;
  // O_NONBLOCK: a pipe in place of the file must not hang us before fstat tells.
  const int error = open_file(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0, file);
  if (error == ENOENT || error == ENOTDIR) {
    return fail(ErrorKind::environment, "key.missing", "there is no key file",
                "`rgx init` creates a root key; `--key-file` names another", in_file(path));
  }
  if (error == ELOOP) {
    return fail(ErrorKind::environment, "key.not_a_file", "the key file is a symbolic link",
                "name the file itself", in_file(path));
  }
  if (error != 0) {
    return fail(ErrorKind::environment, "key.unreadable",
                "the key file cannot be opened: " + error_text(error),
                "check the permissions of the file and the folders above it", in_file(path));
  }
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) {
    return fail(ErrorKind::environment, "key.unreadable",
                "the key file cannot be examined: " + error_text(errno), {}, in_file(path));
  }
  RGX_TRY_STATUS(check_safe(status, path));
  std::string text(kKeyFileBytesMax, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return fail(ErrorKind::environment, "key.unreadable",
                  "the key file cannot be read: " + error_text(errno), {}, in_file(path));
    }
    if (got == 0) {
      break;
    }
    size += static_cast<std::size_t>(got);
  }
  if (size == text.size()) {
    return fail(ErrorKind::usage, "key.syntax", "the file is too long for a key file",
                "name the file that `rgx init` made", in_file(path));
  }
  text.resize(size);
  return text;
}

// Writes a new file whole, under its final name only when it is durable; `path` must not exist.
int write_new_file(const std::string& path, std::string_view text) {
  const std::string draft = path + ".new-" + std::to_string(::getpid());
  FileDescriptor file;
  int error = open_file(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, kOwnerOnly, file);
  if (error == EEXIST) {  // left by a crash of a process with our id
    ::unlink(draft.c_str());
    error = open_file(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, kOwnerOnly, file);
  }
  if (error != 0) {
    return error;
  }
  if (::fchmod(file.get(), kOwnerOnly) != 0) {
    error = errno;
  }
  if (error == 0) {
    error = write_whole(file.get(), text);
  }
  if (error == 0 && ::fsync(file.get()) != 0) {
    error = errno;
  }
  if (error == 0 && ::link(draft.c_str(), path.c_str()) != 0) {
    error = errno;
  }
  ::unlink(draft.c_str());
  return error == 0 ? sync_directory_of(path) : error;
}

}  // namespace

std::string write_root_key(const RootKey& key) {
  std::string text(kHead);
  text += key.id;
  text += kMiddle;
  text += to_hex(key.secret.bytes());
  text += '\n';
  return text;
}

Result<RootKey> parse_root_key(std::string_view text, std::string_view file) {
  const auto refuse = [&](std::string_view code, std::string_view why) {
    return fail(ErrorKind::usage, code, why,
                "restore the file from a copy; a new key cannot verify what the old one signed",
                in_file(file));
  };
  constexpr std::size_t kSecretAt = kHead.size() + kIdSize + kMiddle.size();
  if (text.size() != kFileSize || !text.starts_with(kHead) || !text.ends_with('\n') ||
      text.substr(kHead.size() + kIdSize, kMiddle.size()) != kMiddle) {
    return refuse("key.syntax", "not a root key file of the form `rgx-root-key/v1`");
  }
  Result<std::string> secret = from_hex(text.substr(kSecretAt, kSecretHexSize));
  if (!secret) {
    return refuse("key.syntax", "the secret is not 64 lower-case hex digits");
  }
  RootKey key = RootKey::from_secret(SecretKey(*secret));
  OPENSSL_cleanse(secret->data(), secret->size());
  if (text.substr(kHead.size(), kIdSize) != key.id) {
    return refuse("key.damaged", "the key file is damaged: its id is not that of its secret");
  }
  return key;
}

Result<RootKey> load_root_key(const std::string& path) {
  RGX_TRY(std::string text, read_key_file(path));
  Result<RootKey> key = parse_root_key(text, path);
  OPENSSL_cleanse(text.data(), text.size());
  return key;
}

Result<SigningKey> SigningKey::load(const std::string& path) {
  RGX_TRY(std::string text, read_key_file(path));
  Result<SigningKey> key = parse_pem(text, path);
  OPENSSL_cleanse(text.data(), text.size());
  return key;
}

Status store_key_file(const std::string& path, std::string_view text) {
  const int error = write_new_file(path, text);
  if (error == EEXIST) {
    return fail(ErrorKind::environment, "key.exists", "there is a key file already",
                "keep it: what it signed verifies only with it", in_file(path));
  }
  if (error != 0) {
    return fail(ErrorKind::environment, "key.unwritable",
                "the key file cannot be written: " + error_text(error),
                "check that its folder exists, is writable and has space", in_file(path));
  }
  return {};
}

}  // namespace rgx::audit
