#include "base/ids.h"
#include "base/path.h"
#include "templates/describe.h"
#include "templates/expression.h"

#include <algorithm>
#include <utility>

namespace rgx::templates {
namespace {

constexpr std::string_view kFormRemedy =
    "write `${params.NAME}`, `${facts.NAME.MEMBER}`, `${steps.ID.MEMBER}` or `${item}`, with `$${` "
    "for a literal `${`";

class ExpressionParser {
 public:
  explicit ExpressionParser(const yaml::Node& scalar) : scalar_(scalar), text_(scalar.text) {}

  [[nodiscard]] Result<Expression> parse();

 private:
  [[nodiscard]] tl::unexpected<Error> error(std::size_t offset, const std::string& message,
                                            std::string_view remedy = kFormRemedy) const {
    return fail(ErrorKind::usage, "expression.syntax", message, remedy, place_in(scalar_, offset));
  }
  [[nodiscard]] Result<Reference> reference();
  [[nodiscard]] Status root(Reference& reference, std::size_t start);
  [[nodiscard]] Result<Filter> filter();
  [[nodiscard]] Result<std::string> argument();
  [[nodiscard]] std::string word();
  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }
  [[nodiscard]] bool take(char c) {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }

  const yaml::Node& scalar_;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string ExpressionParser::word() {
  const std::size_t start = at_;
  while (at_ < text_.size() &&
         ((text_[at_] >= 'a' && text_[at_] <= 'z') || (text_[at_] >= 'A' && text_[at_] <= 'Z') ||
          (text_[at_] >= '0' && text_[at_] <= '9') || text_[at_] == '_' || text_[at_] == '-')) {
    ++at_;
  }
  return std::string(text_.substr(start, at_ - start));
}

Result<std::string> ExpressionParser::argument() {
  skip_spaces();
  const std::size_t start = at_;
  if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) {
    return error(at_, "an argument of a filter is a quoted text", "write `join(', ')`");
  }
  const char quote = text_[at_++];
  const std::size_t end = text_.find(quote, at_);
  if (end == std::string_view::npos) {
    return error(start, "a quoted text does not end", "close the quote");
  }
  std::string value(text_.substr(at_, end - at_));
  at_ = end + 1;
  return value;
}

Result<Filter> ExpressionParser::filter() {
  skip_spaces();
  const std::size_t start = at_;
  const std::string name = word();
  const auto kind = find_filter(name);
  if (!kind) {
    return error(start,
                 name.empty() ? "a filter has no name" : "there is no filter " + quoted(name),
                 suggestion(name, filter_names(), "see docs/formats/template.md"));
  }
  Filter filter{*kind, {}};
  if (take('(')) {
    do {
      RGX_TRY(std::string value, argument());
      filter.arguments.push_back(std::move(value));
    } while (take(','));
    if (!take(')')) {
      return error(at_, "the arguments of " + quoted(name) + " do not end", "close them with `)`");
    }
  }
  const Arity arity = arity_of(*kind);
  if (filter.arguments.size() < arity.min || filter.arguments.size() > arity.max) {
    const std::string count = arity.min == arity.max
                                  ? std::to_string(arity.min)
                                  : std::to_string(arity.min) + " or " + std::to_string(arity.max);
    return error(start,
                 "filter `" + name + "` takes " + count + " arguments, not " +
                     std::to_string(filter.arguments.size()),
                 "see docs/formats/template.md");
  }
  if (*kind == FilterKind::replace && filter.arguments[0].empty()) {
    return error(start, "filter `replace` needs a text to look for", "write `replace('_', '-')`");
  }
  if (*kind == FilterKind::relative) {
    auto base = normal_path(filter.arguments[0]);
    if (!base) {
      return error(start, "filter `relative` needs a folder: " + base.error().first().message,
                   base.error().first().remedy);
    }
    filter.arguments[0] = std::move(*base);
  }
  return filter;
}

Status ExpressionParser::root(Reference& reference, std::size_t start) {
  const std::string name = word();
  if (name == "item") {
    reference.root = Root::item;
    return {};
  }
  if (name != "params" && name != "facts" && name != "steps") {
    return error(start, name.empty()
                            ? "a reference has no name"
                            : quoted(name) + " is not `params`, `facts`, `steps` or `item`");
  }
  reference.root = name == "params" ? Root::params : name == "facts" ? Root::facts : Root::steps;
  if (at_ >= text_.size() || text_[at_] != '.') {
    return error(at_, "`" + name + "` needs a name after a dot");
  }
  ++at_;
  reference.name = word();
  if (!is_name(reference.name)) {
    return error(start, "`" + name + "." + reference.name + "` is not a name");
  }
  return {};
}

/// Parses from behind `${` to behind `}`.
Result<Reference> ExpressionParser::reference() {
  const std::size_t start = at_ - 2;
  Reference reference;
  reference.place = place_in(scalar_, start);
  skip_spaces();
  RGX_TRY_STATUS(root(reference, at_));
  while (at_ < text_.size() && text_[at_] == '.') {
    ++at_;
    reference.members.push_back(word());
    if (reference.members.back().empty()) {
      return error(at_, "a member has no name");
    }
  }
  if (reference.root == Root::steps && reference.members.empty()) {
    return error(start, "`steps." + reference.name + "` names no output");
  }
  while (take('|')) {
    RGX_TRY(Filter next, filter());
    reference.filters.push_back(std::move(next));
    if (reference.filters.size() > kFiltersMax) {
      return error(start, "a reference has more than 8 filters", "use fewer");
    }
  }
  if (!take('}')) {
    return error(at_ < text_.size() ? at_ : start,
                 at_ < text_.size() ? "unexpected " + quoted(text_.substr(at_, 1)) + " in `${…}`"
                                    : "`${` has no `}`");
  }
  return reference;
}

Result<Expression> ExpressionParser::parse() {
  Expression expression;
  std::string literal;
  const auto flush = [&] {
    if (!literal.empty()) {
      expression.pieces.push_back(Piece{std::move(literal), std::nullopt});
      literal.clear();
    }
  };
  while (at_ < text_.size()) {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("$${")) {
      literal += "${";
      at_ += 3;
    } else if (rest.starts_with("${")) {
      flush();
      at_ += 2;
      RGX_TRY(Reference next, reference());
      expression.pieces.push_back(Piece{{}, std::move(next)});
    } else {
      literal += text_[at_++];
    }
  }
  flush();
  return expression;
}

}  // namespace

Place place_in(const yaml::Node& scalar, std::size_t offset) {
  Place place = scalar.place;
  if (scalar.style == yaml::Style::block || place.column == 0) {
    return place;
  }
  // An escape sequence or a folded line moves what follows: then only the start is certain.
  const std::string_view before = std::string_view(scalar.text).substr(0, offset);
  const bool as_written = std::ranges::all_of(
      before, [](char c) { return c >= ' ' && c != '\\' && c != '"' && c != '\'' && c != '\x7f'; });
  if (as_written) {
    const std::size_t quote = scalar.style == yaml::Style::quoted ? 1 : 0;
    place.column += static_cast<std::uint32_t>(offset + quote);
  }
  return place;
}

Result<Expression> parse_expression(const yaml::Node& scalar) {
  return ExpressionParser(scalar).parse();
}

}  // namespace rgx::templates
