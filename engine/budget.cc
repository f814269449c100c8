#include "engine/budget.h"

#include <limits>

namespace rgx::engine {

namespace {

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

}  // namespace

std::string Budget::reserve(const policy::RunBudget& amount) {
  for (const policy::BudgetField& field : policy::kRunBudgetFields) {
    const std::int64_t taken = saturating_add(spent_.*field.member, reserved_.*field.member);
    std::int64_t wanted = 0;
    if (__builtin_add_overflow(taken, amount.*field.member, &wanted) ||
        wanted > limit_.*field.member) {
      return std::string(field.name);
    }
  }
  for (const policy::BudgetField& field : policy::kRunBudgetFields) {
    reserved_.*field.member += amount.*field.member;
  }
  return {};
}

void Budget::settle(const policy::RunBudget& reserved, const policy::RunBudget& spent) {
  for (const policy::BudgetField& field : policy::kRunBudgetFields) {
    reserved_.*field.member -= reserved.*field.member;
    spent_.*field.member = saturating_add(spent_.*field.member, spent.*field.member);
  }
}

}  // namespace rgx::engine
