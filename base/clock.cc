#include "base/clock.h"

#include <cstddef>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace rgx {

namespace {

constexpr std::int64_t kMsPerDay = 86'400'000;

struct Date {
  std::int64_t year;
  std::int64_t month;
  std::int64_t day;
};

// Both conversions count in eras of 400 years that start on 1 March, so that the leap day is the
// last day of its year (Howard Hinnant, "chrono-compatible low-level date algorithms").

std::int64_t days_of(const Date& date) {
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t month = date.month + (date.month > 2 ? -3 : 9);
  const std::int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

Date date_of(std::int64_t days) {
  days += 719'468;
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;
  return Date{.year = year_of_era + era * 400 + (month >= 10 ? 1 : 0),
              .month = month < 10 ? month + 3 : month - 9,
              .day = day_of_year - (153 * month + 2) / 5 + 1};
}

std::int64_t days_in_month(std::int64_t year, std::int64_t month) {
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  switch (month) {
    case 2:
      return leap ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
      return 30;
    default:
      return 31;
  }
}

void append_padded(std::string& text, std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  text.append(digits.size() < width ? width - digits.size() : 0, '0');
  text += digits;
}

/// Reads fixed-width fields from the front; any mismatch makes the whole text invalid.
class Fields {
 public:
  explicit Fields(std::string_view text) : rest_(text) {}

  std::int64_t digits(std::size_t count, std::int64_t min, std::int64_t max) {
    std::int64_t value = 0;
    if (rest_.size() < count) {
      valid_ = false;
      return min;
    }
    for (const char c : rest_.substr(0, count)) {
      if (c < '0' || c > '9') {
        valid_ = false;
        return min;
      }
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    valid_ = valid_ && value >= min && value <= max;
    return valid_ ? value : min;
  }

  void literal(char expected) {
    if (!accept(expected)) {
      valid_ = false;
    }
  }

  bool accept(char expected) {
    if (rest_.empty() || rest_.front() != expected) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  [[nodiscard]] bool valid() const { return valid_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool valid_ = true;
};

std::optional<std::int64_t> read_time(std::string_view text) {
  Fields fields(text);
  Date date{};
  date.year = fields.digits(4, 0, 9999);
  fields.literal('-');
  date.month = fields.digits(2, 1, 12);
  fields.literal('-');
  date.day = fields.digits(2, 1, days_in_month(date.year, date.month));
  std::int64_t ms = 0;
  if (!fields.at_end()) {
    fields.literal('T');
    ms = fields.digits(2, 0, 23) * 3'600'000;
    fields.literal(':');
    ms += fields.digits(2, 0, 59) * 60'000;
    fields.literal(':');
    ms += fields.digits(2, 0, 59) * 1'000;
    if (fields.accept('.')) {
      ms += fields.digits(3, 0, 999);
    }
    fields.literal('Z');
  }
  if (!fields.valid()) {
    return std::nullopt;
  }
  return days_of(date) * kMsPerDay + ms;
}

}  // namespace

std::string format_time(std::int64_t unix_ms) {
  std::int64_t days = unix_ms / kMsPerDay;
  std::int64_t ms = unix_ms % kMsPerDay;
  if (ms < 0) {
    ms += kMsPerDay;
    --days;
  }
  const Date date = date_of(days);
  std::string text;
  if (date.year < 0) {
    text += "-";
  }
  append_padded(text, date.year < 0 ? -date.year : date.year, 4);
  text += "-";
  append_padded(text, date.month, 2);
  text += "-";
  append_padded(text, date.day, 2);
  text += "T";
  append_padded(text, ms / 3'600'000, 2);
  text += ":";
  append_padded(text, ms / 60'000 % 60, 2);
  text += ":";
  append_padded(text, ms / 1'000 % 60, 2);
  text += ".";
  append_padded(text, ms % 1'000, 3);
  text += "Z";
  return text;
}

Result<std::int64_t> parse_time(std::string_view text) {
  const auto time = read_time(text);
  if (!time) {
    return fail(ErrorKind::usage, "time.syntax",
                "`" + printable(text.substr(0, 64)) + "` is no date or time",
                "write `2026-12-01` or `2026-12-01T00:00:00Z` (UTC)");
  }
  return *time;
}

}  // namespace rgx
