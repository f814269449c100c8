#pragma once

#include "base/yaml/reader.h"
#include "templates/instantiate.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// `${params.from | upper}`: references with filters inside the strings of a template. Expanded
// once, on typed values; what an expansion yields is never expanded again. Private to the package.
// Format: docs/formats/template.md, section "Expressions"

namespace rgx::templates {

inline constexpr std::size_t kExpandedBytesMax = 1U << 20;
inline constexpr std::size_t kFiltersMax = 8;  // of one reference

enum class FilterKind : std::uint8_t {
  basename,
  dirname,
  join,
  json,
  lower,
  quote,
  regex_quote,
  relative,
  replace,
  slug,
  splice,
  stem,
  upper,
};

struct Filter {
  FilterKind kind = FilterKind::json;
  std::vector<std::string> arguments;

  bool operator==(const Filter&) const = default;
};

enum class Root : std::uint8_t { params, facts, item, steps };

/// One `${…}`. For `params`, `facts`, `steps`, `name` is the parameter, fact or step.
struct Reference {
  Root root = Root::item;
  std::string name;
  std::vector<std::string> members;
  std::vector<Filter> filters;
  Place place;  ///< of its `$`
};

/// A literal text or a reference.
struct Piece {
  std::string literal;
  std::optional<Reference> reference;
};

struct Expression {
  std::vector<Piece> pieces;  ///< empty for the empty string

  /// The string is one reference and nothing else: its value keeps its type.
  /// Nothing when the string is anything else.
  [[nodiscard]] bool is_splice() const {
    const Reference* reference = whole();
    return reference != nullptr && !reference->filters.empty() &&
           reference->filters.back().kind == FilterKind::splice;
  }
  [[nodiscard]] const Reference* whole() const {
    if (pieces.size() != 1) {
      return nullptr;
    }
    const std::optional<Reference>& only = pieces.front().reference;
    return only.has_value() ? &*only : nullptr;
  }
};

/// Where byte `offset` of a scalar's text stands in the file; the scalar's own place where the
/// text is not written as it reads (escapes, several lines).
[[nodiscard]] Place place_in(const yaml::Node& scalar, std::size_t offset);

/// Errors: expression.syntax.
[[nodiscard]] Result<Expression> parse_expression(const yaml::Node& scalar);

/// The step of the plan behind `${steps.NAME.…}`, and where its outputs come from. No id: the step
/// was left out, so that there will be none.
struct OutputSource {
  StepId step;
  OriginSet origins;
};
using OutputSources = std::function<OutputSource(const std::string& name)>;

/// What references see. `item` is null outside for_each, `outputs` where no output may stand.
struct Scope {
  const Arguments& arguments;
  const FactValues& facts;
  const Value* item = nullptr;
  const OutputSources* outputs = nullptr;
};

/// Applies one filter to a value (expression.type, expression.value, expression.too_large).
[[nodiscard]] Result<Json> apply_filter(const Filter& filter, const Json& value,
                                        const Place& place);
[[nodiscard]] std::string_view to_string(FilterKind kind);
/// Number of arguments that a filter takes.
struct Arity {
  std::size_t min;
  std::size_t max;
};
[[nodiscard]] Arity arity_of(FilterKind kind);
[[nodiscard]] std::optional<FilterKind> find_filter(std::string_view name);
[[nodiscard]] std::vector<std::string> filter_names();

/// Expands every string below `node`. Literals have the origin `template`. An output of a step
/// stays open (templates/step_output.h).
[[nodiscard]] Result<Value> expand(const yaml::Node& node, const Scope& scope);

}  // namespace rgx::templates
