#include "engine/run_open.h"

#include <utility>

#include "engine/run_records.h"
#include "templates/seal.h"

namespace rgx::engine {

using audit::RecordType;

namespace {

tl::unexpected<Error> not_resumable(const RunId& run, const Error& error) {
  const std::string& code = error.first().code;
  if (code == "ledger.sealed") {
    return fail(ErrorKind::usage, "resume.finished", "run " + run.text() + " has ended",
                "`rgx show " + run.text() + "` says how; start a new run to do more");
  }
  return fail(error);
}

Status admit(const policy::AdmittedPlan& plan, RunPorts& ports, OpenRun& opened) {
  opened.now_unix_ms = ports.clock.now_unix_ms();
  RGX_TRY(opened.last_record,
          opened.ledger->append(RecordType::admission, admission_body(plan, opened.now_unix_ms)));
  return {};
}

}  // namespace

Result<OpenRun> begin_run(const policy::AdmittedPlan& plan, RunPorts& ports,
                          const RunIdentity& identity) {
  OpenRun opened;
  opened.started_ms = ports.clock.monotonic_ms();
  RGX_TRY(OpenIndex index, open_index(ports, identity));
  opened.index = std::make_unique<OpenIndex>(std::move(index));
  audit::LedgerWriter& index_writer = opened.index->writer;
  RGX_TRY_STATUS(remove_leftovers(ports, plan.plan().plan(), *opened.index));
  RGX_TRY(opened.log_id, audit::new_log_id(ports.entropy));
  opened.run = RunId("r-" + opened.log_id.substr(0, 12));
  RGX_TRY(const auto started,
          index_writer.append(
              RecordType::run_started,
              started_body(opened.run, opened.log_id, plan.plan().digest(), plan.digest())));
  RGX_TRY_STATUS(index_writer.commit());
  RGX_TRY(auto storage, ports.state.create_run(opened.run));
  RGX_TRY_STATUS(ports.state.write_run_file(opened.run, "plan.json",
                                            templates::write_sealed_plan(plan.plan())));
  RGX_TRY(auto ledger,
          audit::LedgerWriter::create(
              std::move(storage), identity.root_key, opened.log_id, RecordType::genesis,
              genesis_body(plan, opened.log_id, index_writer.log_id(), started, identity),
              ports.clock, identity.environment));
  opened.ledger = std::make_unique<audit::LedgerWriter>(std::move(ledger));
  opened.requester = identity.requester.public_key();
  RGX_TRY_STATUS(admit(plan, ports, opened));
  RGX_TRY_STATUS(opened.ledger->commit());
  return opened;
}

Result<OpenRun> continue_run(const policy::AdmittedPlan& plan, RunPorts& ports,
                             const RunIdentity& identity, const RunId& run) {
  OpenRun opened;
  opened.started_ms = ports.clock.monotonic_ms();
  opened.run = run;
  RGX_TRY(OpenIndex index, open_index(ports, identity));
  opened.index = std::make_unique<OpenIndex>(std::move(index));
  opened.index->unfinished = run;
  RGX_TRY_STATUS(remove_leftovers(ports, plan.plan().plan(), *opened.index));
  RGX_TRY(auto storage, ports.state.open_run(run, audit::OpenMode::append));
  Replay replay;
  auto ledger = audit::LedgerWriter::resume(
      std::move(storage), identity.root_key, ports.clock, identity.environment,
      [&replay](const audit::Record& record) { replay.take(record); });
  if (!ledger) {
    return not_resumable(run, ledger.error());
  }
  opened.stands = replay.run();
  if (RunId("r-" + ledger->log_id().substr(0, 12)) != run ||
      opened.stands->plan_digest != plan.plan().digest().to_string()) {
    return fail(ErrorKind::evidence, "resume.other_run",
                "the ledger of run " + run.text() + " is that of another run or plan",
                "restore the state directory from a copy");
  }
  opened.ledger = std::make_unique<audit::LedgerWriter>(std::move(*ledger));
  opened.log_id = opened.ledger->log_id();
  opened.requester = opened.stands->requester;
  opened.started_ms -= opened.stands->spent.wall_ms;
  if (opened.ledger->records() < 2) {  // killed between its first two records
    RGX_TRY_STATUS(admit(plan, ports, opened));
  } else if (opened.stands->admission_digest != plan.digest().to_string()) {
    RGX_TRY(opened.last_record,
            opened.ledger->append(RecordType::policy_changed, policy_changed_body(plan)));
    opened.notes.emplace_back(
        "policy has changed: the plan was admitted anew, and approvals "
        "given before are void");
  }
  RGX_TRY_STATUS(opened.ledger->commit());
  return opened;
}

}  // namespace rgx::engine
