#include "engine/test_report_runners.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/text.h"

namespace rgx::engine {

namespace {

constexpr std::size_t kNameBytesMax = 200;
constexpr std::size_t kJsonLineBytesMax = std::size_t{1} << 20;
constexpr std::int64_t kCountMax = 1'000'000'000;  // what a runner may claim

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// A number at the start of `text`, which it is taken from.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > kCountMax) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view head) {
  if (!text.starts_with(head)) {
    return false;
  }
  text.remove_prefix(head.size());
  return true;
}

/// `12 passed, 1 failed` -> words with their numbers; nothing when it is something else.
std::optional<std::map<std::string, std::int64_t, std::less<>>> take_counts(std::string_view text,
                                                                            char separator) {
  std::map<std::string, std::int64_t, std::less<>> counts;
  for (const std::string_view part : split(text, separator)) {
    std::string_view rest = trimmed(part);
    const auto number = take_number(rest);
    if (!number || !take(rest, " ")) {
      return std::nullopt;
    }
    counts[std::string(trimmed(rest))] += *number;
  }
  return counts;
}

template <class Counts>
std::int64_t count_of(const Counts& counts, std::initializer_list<std::string_view> words) {
  std::int64_t sum = 0;
  for (const std::string_view word : words) {
    const auto found = counts.find(word);
    sum += found == counts.end() ? 0 : found->second;
  }
  return sum;
}

/// `name (0.12ms)` -> `name`
std::string_view without_time(std::string_view name) {
  const auto open = name.rfind(" (");
  return open != std::string_view::npos && name.ends_with(')') ? name.substr(0, open) : name;
}

class CTest final : public TestReader {
 public:
  CTest() : TestReader("ctest") {}

  void line(std::string_view text, std::size_t number) override {
    text = trimmed(text);
    if (text.find(" Test ") != std::string_view::npos &&
        text.find("***Skipped") != std::string_view::npos) {
      ++skipped_;
      return;
    }
    // `50% tests passed, 1 tests failed out of 2`
    std::string_view rest = text;
    if (take_number(rest) && take(rest, "% tests passed, ")) {
      const auto failed = take_number(rest);
      const bool out_of = take(rest, " tests failed out of ") || take(rest, " test failed out of ");
      const auto total = out_of ? take_number(rest) : std::nullopt;
      if (failed && total && *failed <= *total) {
        report_.failed = *failed;
        report_.skipped = std::min(skipped_, *total - *failed);
        report_.passed = *total - *failed - report_.skipped;
        report_.failures.clear();
        note_result(number);
      }
      return;
    }
    if (text == "The following tests FAILED:") {
      listing_ = true;
      return;
    }
    if (!listing_) {
      return;
    }
    // `2 - name (Failed)`
    rest = text;
    if (!take_number(rest) || !take(rest, " - ")) {
      listing_ = false;
      return;
    }
    const auto open = rest.rfind(" (");
    note_failure(open == std::string_view::npos ? rest : rest.substr(0, open));
  }

 private:
  std::int64_t skipped_ = 0;
  bool listing_ = false;
};

class PyTest final : public TestReader {
 public:
  PyTest() : TestReader("pytest") {}

  void line(std::string_view text, std::size_t number) override {
    std::string_view rest = text;
    if (take(rest, "FAILED ") || take(rest, "ERROR ")) {
      if (rest.find("::") != std::string_view::npos || rest.find(".py") != std::string_view::npos) {
        note_failure(rest.substr(0, rest.find(" - ")));
      }
      return;
    }
    // `=== 1 failed, 13 passed in 0.12s ===`, or without the bars
    while (!rest.empty() && (rest.front() == '=' || rest.front() == ' ')) {
      rest.remove_prefix(1);
    }
    const auto in = rest.rfind(" in ");
    if (in == std::string_view::npos || rest.find('s', in + 4) == std::string_view::npos) {
      return;
    }
    const std::string_view result = rest.substr(0, in);
    if (result == "no tests ran") {
      report_.passed = report_.failed = report_.skipped = 0;
      note_result(number);
      return;
    }
    const auto counts = take_counts(result, ',');
    if (!counts) {
      return;
    }
    report_.failed = count_of(*counts, {"failed", "error", "errors"});
    report_.passed = count_of(*counts, {"passed", "xpassed"});
    report_.skipped = count_of(*counts, {"skipped", "xfailed"});
    note_result(number);
  }
};

class Unittest final : public TestReader {
 public:
  Unittest() : TestReader("unittest") {}

  void line(std::string_view text, std::size_t number) override {
    std::string_view rest = text;
    if (take(rest, "FAIL: ") || take(rest, "ERROR: ")) {
      note_failure(rest);
      return;
    }
    if (take(rest, "Ran ")) {
      const auto total = take_number(rest);
      if (total && (rest.starts_with(" test in ") || rest.starts_with(" tests in "))) {
        total_ = total;
      }
      return;
    }
    const bool good = take(rest, "OK");
    if (!total_ || (!good && !take(rest, "FAILED")) || (!rest.empty() && rest.front() != ' ')) {
      return;
    }
    std::map<std::string, std::int64_t, std::less<>> counts;
    const std::string_view inner = trimmed(rest);
    if (inner.size() > 2 && inner.front() == '(' && inner.back() == ')') {
      for (const std::string_view part : split(inner.substr(1, inner.size() - 2), ',')) {
        const auto equals = part.find('=');
        if (equals != std::string_view::npos) {
          std::string_view value = part.substr(equals + 1);
          counts[std::string(trimmed(part.substr(0, equals)))] = take_number(value).value_or(0);
        }
      }
    }
    report_.failed = count_of(counts, {"failures", "errors", "unexpected successes"});
    report_.skipped = count_of(counts, {"skipped", "expected failures"});
    report_.passed = std::max<std::int64_t>(*total_ - report_.failed - report_.skipped, 0);
    note_result(number);
    total_.reset();
  }

 private:
  std::optional<std::int64_t> total_;
};

class Node final : public TestReader {
 public:
  Node() : TestReader("node") {}

  void line(std::string_view text, std::size_t number) override {
    std::string_view rest = trimmed(text);
    if (take(rest, "not ok ")) {
      note_tap(rest);
      return;
    }
    if (take(rest, "✖ ")) {
      if (rest != "failing tests:") {
        note_once(without_time(rest));
      }
      return;
    }
    if (!take(rest, "ℹ ") && !take(rest, "# ")) {
      return;
    }
    const auto blank = rest.find(' ');
    if (blank == std::string_view::npos) {
      return;
    }
    const std::string_view word = rest.substr(0, blank);
    rest.remove_prefix(blank + 1);
    const auto count = take_number(rest);
    if (!count || !rest.empty()) {
      return;
    }
    if (word == "pass") {
      report_.passed = *count;
    } else if (word == "fail") {
      failed_ = *count;
    } else if (word == "cancelled") {
      cancelled_ = *count;
    } else if (word == "skipped") {
      skipped_ = *count;
    } else if (word == "todo") {
      todo_ = *count;
      note_result(number);
    }
    report_.failed = failed_ + cancelled_;
    report_.skipped = skipped_ + todo_;
  }

 private:
  /// `3 - name # SKIP`: what is only planned or left out does not count.
  void note_tap(std::string_view rest) {
    if (!take_number(rest) || !take(rest, " - ")) {
      return;
    }
    const auto hash = rest.find(" # ");
    if (hash == std::string_view::npos) {
      note_once(rest);
    }
  }
  void note_once(std::string_view name) {
    const std::string shown = printable(name);
    if (std::ranges::find(report_.failures, shown) == report_.failures.end()) {
      note_failure(name);
    }
  }

  std::int64_t failed_ = 0;
  std::int64_t cancelled_ = 0;
  std::int64_t skipped_ = 0;
  std::int64_t todo_ = 0;
};

/// Without -v go names only the tests that fail, and counts packages: so do we.
class Go final : public TestReader {
 public:
  Go() : TestReader("go") {}

  void line(std::string_view text, std::size_t number) override {
    if (text.starts_with('{') && text.find("\"Action\"") != std::string_view::npos) {
      json(text, number);
      return;
    }
    std::string_view rest = text;
    if (take(rest, "--- FAIL: ")) {
      fail_test(without_time(rest));
    } else if (take(rest, "--- PASS: ")) {
      ++tests_passed_;
    } else if (take(rest, "--- SKIP: ")) {
      ++report_.skipped;
    } else if (take(rest, "ok  \t")) {
      ++packages_passed_;
      note_result(number);
    } else if (take(rest, "FAIL\t")) {
      // A package that fails without a failing test did not build, or crashed.
      if (failed_in_package_ == 0) {
        fail_test(rest.substr(0, rest.find_first_of("\t ")));
      }
      failed_in_package_ = 0;
      note_result(number);
    }
    report_.passed = tests_passed_ > 0 ? tests_passed_ : packages_passed_;
  }

 private:
  void fail_test(std::string_view name) {
    ++report_.failed;
    ++failed_in_package_;
    note_failure(name);
  }
  void json(std::string_view text, std::size_t number) {
    if (text.size() > kJsonLineBytesMax) {
      return;
    }
    std::string cleaned(text);
    // Times are the only numbers with a fraction, and nothing here needs them.
    if (const auto elapsed = cleaned.find(",\"Elapsed\":"); elapsed != std::string::npos) {
      const auto end = cleaned.find_first_of(",}", elapsed + 1);
      if (end != std::string::npos) {
        cleaned.erase(elapsed, end - elapsed);
      }
    }
    const auto event = parse_json(cleaned);
    const Json* action = event ? event->find("Action") : nullptr;
    const Json* package = event ? event->find("Package") : nullptr;
    const Json* test = event ? event->find("Test") : nullptr;
    if (action == nullptr || !action->is_string() || package == nullptr || !package->is_string()) {
      return;
    }
    const std::string& what = action->as_string();
    if (test == nullptr || !test->is_string()) {
      if (what == "fail" && failed_by_package_[package->as_string()] == 0) {
        fail_test(package->as_string());
      }
      if (what == "fail" || what == "pass" || what == "skip") {
        note_result(number);
      }
      return;
    }
    if (test->as_string().find('/') != std::string::npos) {
      return;  // a part of a test that is counted itself
    }
    if (what == "fail") {
      ++failed_by_package_[package->as_string()];
      fail_test(test->as_string());
    }
    tests_passed_ += what == "pass" ? 1 : 0;
    report_.skipped += what == "skip" ? 1 : 0;
    report_.passed = tests_passed_;
  }

  std::int64_t tests_passed_ = 0;
  std::int64_t packages_passed_ = 0;
  std::int64_t failed_in_package_ = 0;
  std::map<std::string, std::int64_t, std::less<>> failed_by_package_;
};

class Cargo final : public TestReader {
 public:
  Cargo() : TestReader("cargo") {}

  void line(std::string_view text, std::size_t number) override {
    std::string_view rest = text;
    if (take(rest, "test result: ")) {
      const auto point = rest.find(". ");
      if (point == std::string_view::npos) {
        return;
      }
      rest.remove_prefix(point + 2);
      rest = rest.substr(0, rest.find("; finished in"));
      if (const auto counts = take_counts(rest, ';')) {
        report_.passed += count_of(*counts, {"passed"});
        report_.failed += count_of(*counts, {"failed"});
        report_.skipped += count_of(*counts, {"ignored"});
        note_result(number);
      }
      return;
    }
    if (take(rest, "test ") && rest.ends_with(" ... FAILED")) {
      rest.remove_suffix(std::string_view(" ... FAILED").size());
      note_failure(rest);
    }
  }
};

}  // namespace

void TestReader::note_failure(std::string_view name) {
  if (report_.failures.size() < kFailuresMax) {
    report_.failures.push_back(printable(trimmed(name).substr(0, kNameBytesMax)));
  }
}

std::vector<std::unique_ptr<TestReader>> make_test_readers() {
  std::vector<std::unique_ptr<TestReader>> readers;
  readers.push_back(std::make_unique<CTest>());
  readers.push_back(std::make_unique<PyTest>());
  readers.push_back(std::make_unique<Unittest>());
  readers.push_back(std::make_unique<Node>());
  readers.push_back(std::make_unique<Go>());
  readers.push_back(std::make_unique<Cargo>());
  return readers;
}

}  // namespace rgx::engine
