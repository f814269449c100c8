#include "tests/support/faulty_storage.h"

#include "base/check.h"

namespace rgx::test {
namespace {

tl::unexpected<Error> injected() {
  return fail(ErrorKind::environment, "storage.io", "input/output error (injected)");
}

}  // namespace

bool FaultyStorage::fails(Effect effect) {
  const std::uint64_t call = ++plan_->calls;
  if (effect == Effect::writes && has_failed_write_) {
    plan_->was_retried = true;
  }
  const bool is_hit = plan_->fail_call != 0 &&
                      (plan_->length == FaultPlan::Length::once ? call == plan_->fail_call
                                                                : call >= plan_->fail_call);
  if (is_hit) {
    ++plan_->failures;
    has_failed_write_ = has_failed_write_ || effect == Effect::writes;
  }
  return is_hit;
}

Result<std::uint64_t> FaultyStorage::size() {
  if (fails(Effect::reads)) {
    return injected();
  }
  return storage_->size();
}

Result<std::string> FaultyStorage::read(std::uint64_t offset, std::size_t size) {
  if (fails(Effect::reads)) {
    return injected();
  }
  return storage_->read(offset, size);
}

Status FaultyStorage::append(std::string_view bytes) {
  if (fails(Effect::writes)) {
    const std::string_view part = bytes.substr(0, bytes.size() * plan_->partial_percent / 100);
    RGX_TRY_STATUS(storage_->append(part));
    return injected();
  }
  return storage_->append(bytes);
}

Status FaultyStorage::sync() {
  if (fails(Effect::writes)) {
    return injected();
  }
  return storage_->sync();
}

}  // namespace rgx::test
