#include "policy/host.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"

namespace rgx::policy {
namespace {

constexpr std::size_t kNameBytesMax = 253;
constexpr std::size_t kLabelBytesMax = 63;

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

bool is_label(std::string_view label) {
  return !label.empty() && label.size() <= kLabelBytesMax && label.front() != '-' &&
         label.back() != '-' && std::ranges::all_of(label, [](char byte) {
           return (byte >= 'a' && byte <= 'z') || is_digit(byte) || byte == '-';
         });
}

bool is_port(std::string_view text) {
  if (text.empty() || text.size() > 5 || text.front() == '0' ||
      !std::ranges::all_of(text, is_digit)) {
    return false;
  }
  int port = 0;
  for (const char byte : text) {
    port = port * 10 + (byte - '0');
  }
  return port <= 65535;
}

/// Lower case, no trailing dot before the port.
std::string normal_host(std::string_view host) {
  std::string text(host);
  std::ranges::transform(text, text.begin(), [](char byte) {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  });
  const std::size_t colon = text.rfind(':');
  if (colon != std::string::npos && colon > 0 && text[colon - 1] == '.') {
    text.erase(colon - 1, 1);
  }
  return text;
}

bool has_wildcard(std::string_view host) {
  return host.starts_with("*.");
}

/// Everything behind the first label.
std::string_view tail(std::string_view host) {
  const std::size_t dot = host.find('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view() : host.substr(dot);
}

}  // namespace

bool is_host_pattern(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || !is_port(text.substr(colon + 1))) {
    return false;
  }
  std::string_view name = text.substr(0, colon);
  if (name == "localhost") {
    return true;
  }
  if (name.size() > kNameBytesMax) {
    return false;
  }
  if (has_wildcard(name)) {
    name.remove_prefix(2);
  }
  const std::vector<std::string_view> labels = split(name, '.');
  // A name whose last label is a number is an address in some spelling (`127.1`, `0x7f.1`).
  return labels.size() >= 2 && std::ranges::all_of(labels, is_label) &&
         !is_digit(labels.back().front());
}

bool hits_host(std::string_view pattern, std::string_view host) {
  const std::string named = normal_host(host);
  if (pattern == named) {
    return true;
  }
  return (has_wildcard(pattern) || has_wildcard(named)) && !tail(pattern).empty() &&
         tail(pattern) == tail(named);
}

bool covers_host(std::string_view pattern, std::string_view host) {
  return pattern == host ||
         (has_wildcard(pattern) && !tail(host).empty() && tail(pattern) == tail(host));
}

}  // namespace rgx::policy
