#include "templates/syntax.h"

#include "base/json.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

namespace rgx::templates {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

std::string lower_ascii(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), to_lower);
  return lower;
}

struct UnitFactor {
  std::string_view unit;
  std::int64_t factor;
};

std::optional<std::int64_t> with_unit(std::string_view text, std::span<const UnitFactor> units) {
  const auto digits =
      static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  const auto number = decimal(text.substr(0, digits));
  const auto unit = std::ranges::find(units, text.substr(digits), &UnitFactor::unit);
  if (!number || unit == units.end()) {
    return std::nullopt;
  }
  std::int64_t product = 0;
  if (__builtin_mul_overflow(*number, unit->factor, &product) || product > Json::kIntegerMax) {
    return std::nullopt;
  }
  return product;
}

bool is_host_name(std::string_view host) {
  if (host.starts_with("*.")) {
    host.remove_prefix(2);
  }
  if (host.empty() || host.size() > 253) {
    return false;
  }
  return std::ranges::all_of(split(host, '.'), [](std::string_view label) {
    return !label.empty() && label.size() <= 63 && label.front() != '-' && label.back() != '-' &&
           std::ranges::all_of(
               label, [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '_'; });
  });
}

bool is_bracketed_address(std::string_view host) {
  return host.size() > 4 && host.front() == '[' && host.back() == ']' &&
         std::ranges::all_of(host.substr(1, host.size() - 2), [](char c) {
           return is_digit(c) || c == ':' || c == '.' || (to_lower(c) >= 'a' && to_lower(c) <= 'f');
         });
}

/// Splits `host[:port]`; `port_default` 0 makes the port required.
std::optional<std::string> host_and_port(std::string_view text, std::int64_t port_default) {
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.rfind(':');
  std::string_view host = text;
  std::int64_t port = port_default;
  if (colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket)) {
    host = text.substr(0, colon);
    port = decimal(text.substr(colon + 1)).value_or(0);
  }
  if (port < 1 || port > 65535 || !(is_host_name(host) || is_bracketed_address(host))) {
    return std::nullopt;
  }
  return lower_ascii(host) + ":" + std::to_string(port);
}

}  // namespace

bool is_variable(std::string_view text) {
  return !text.empty() && text.size() <= kIdentifierBytesMax && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_identifier(std::string_view text) {
  if (text.size() > kIdentifierBytesMax) {
    return false;
  }
  while (true) {
    const std::size_t end = text.find_first_of(".:");
    if (!is_variable(text.substr(0, end))) {
      return false;
    }
    if (end == std::string_view::npos) {
      return true;
    }
    const bool scope = text.substr(end).starts_with("::");
    if (text[end] == ':' && !scope) {
      return false;
    }
    text.remove_prefix(end + (scope ? 2 : 1));
  }
}

bool is_symbol(std::string_view text) {
  return !text.empty() && text.size() <= kIdentifierBytesMax && is_utf8(text) &&
         !find_deceptive(text) && text.find(' ') == std::string_view::npos &&
         text.find("\xc2\xa0") == std::string_view::npos &&
         text.find("\xe3\x80\x80") == std::string_view::npos;
}

bool is_version(std::string_view text) {
  if (text.empty() || text.size() > kIdentifierBytesMax) {
    return false;
  }
  const std::size_t core = std::min(text.find_first_of("-+"), text.size());
  const auto numbers = split(text.substr(0, core), '.');
  if (numbers.size() > 4 || !std::ranges::all_of(numbers, [](std::string_view number) {
        return decimal(number).has_value() && number.front() != '-';
      })) {
    return false;
  }
  const std::string_view rest = text.substr(core);
  return rest.size() != 1 && std::ranges::all_of(rest, [](char c) {
           return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '+';
         });
}

bool is_branch(std::string_view text) {
  if (text.empty() || text.size() > kIdentifierBytesMax || text == "@" || text.front() == '-' ||
      text.back() == '.' || !is_utf8(text) || find_deceptive(text)) {
    return false;
  }
  if (text.find("..") != std::string_view::npos || text.find("@{") != std::string_view::npos ||
      text.find_first_of(" ~^:?*[\\") != std::string_view::npos) {
    return false;
  }
  return std::ranges::all_of(split(text, '/'), [](std::string_view part) {
    return !part.empty() && part.front() != '.' && !part.ends_with(".lock");
  });
}

std::optional<std::string> host_of_url(std::string_view text) {
  if (text.size() > kStringBytesMax ||
      !std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; }) ||
      text.find_first_of("\\\"<>^`{|}") != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string scheme = lower_ascii(text.substr(0, text.find("://")));
  if (scheme.size() == text.size() || (scheme != "http" && scheme != "https")) {
    return std::nullopt;
  }
  const std::string_view rest = text.substr(scheme.size() + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  if (authority.find('@') != std::string_view::npos || authority.starts_with("*")) {
    return std::nullopt;
  }
  return host_and_port(authority, scheme == "https" ? 443 : 80);
}

std::optional<std::string> normal_host(std::string_view text) {
  return host_and_port(text, 0);
}

std::optional<std::int64_t> duration_ms(std::string_view text) {
  static constexpr std::array kUnits = {UnitFactor{"ms", 1}, UnitFactor{"s", 1000},
                                        UnitFactor{"m", 60000}, UnitFactor{"h", 3600000},
                                        UnitFactor{"d", 86400000}};
  return with_unit(text, kUnits);
}

std::optional<std::int64_t> size_bytes(std::string_view text) {
  static constexpr std::array kUnits = {UnitFactor{"B", 1},          UnitFactor{"KiB", 1024},
                                        UnitFactor{"MiB", 1048576},  UnitFactor{"GiB", 1 << 30},
                                        UnitFactor{"kB", 1000},      UnitFactor{"MB", 1000000},
                                        UnitFactor{"GB", 1000000000}};
  return with_unit(text, kUnits);
}

std::optional<std::int64_t> decimal(std::string_view text) {
  const std::string_view digits = text.starts_with("-") ? text.substr(1) : text;
  if (digits.empty() || digits.size() > 16 || !std::ranges::all_of(digits, is_digit) ||
      (digits.size() > 1 && digits.front() == '0') || text == "-0") {
    return std::nullopt;
  }
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || value > Json::kIntegerMax || value < -Json::kIntegerMax) {
    return std::nullopt;
  }
  return value;
}

std::string pattern_of_path(std::string_view normal_path) {
  std::string pattern;
  for (const char c : normal_path) {
    const bool leading = pattern.empty() && (c == '!' || c == '~');
    if (leading || c == '*' || c == '?' || c == '[' || c == '{' || c == '}' || c == '\\') {
      pattern += '\\';
    }
    pattern += c;
  }
  return pattern;
}

}  // namespace rgx::templates
