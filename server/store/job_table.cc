#include "server/store/job_table.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "server/store/submission_table.h"

namespace assay {
namespace {

// What ReadRow expects; a WHERE follows.
#define ASSAY_SELECT_JOB                                                  \
  "SELECT jobs.seq, jobs.id, jobs.submission_id, submissions.definition," \
  " submissions.solution, jobs.workload_uuid, jobs.hardware, jobs.state," \
  " jobs.stage, jobs.attempt, jobs.fence, jobs.lease_id, jobs.held,"      \
  " jobs.failures, jobs.avoid_worker, jobs.failure_reason,"               \
  " jobs.failure_message, jobs.trace_id, jobs.change_seq"                 \
  " FROM jobs JOIN submissions ON submissions.id = jobs.submission_id WHERE "

constexpr char kInsertJobSql[] =
    "INSERT INTO jobs (id, submission_id, workload_uuid, hardware, state,"
    " stage, attempt, fence, lease_id, held, failures, avoid_worker,"
    " failure_reason, failure_message, trace_id, change_seq)"
    " VALUES (?, ?, ?, ?, 1, 0, 0, 0, '', 0, 0, '', '', '', '', ?)";
#define ASSAY_SET_PROGRESS                                                  \
  "UPDATE jobs SET state = ?, stage = ?, attempt = ?, fence = ?, held = ?," \
  " failures = ?, failure_reason = ?, failure_message = ?, trace_id = ?,"   \
  " change_seq = ?"
// Changes nothing where the lease or the worker to avoid is another one. SQLite
// writes the index of every column that is set, so those two are left out of
// the many changes that leave them as they are.
constexpr char kUpdateProgressSql[] =
    ASSAY_SET_PROGRESS " WHERE seq = ? AND lease_id = ? AND avoid_worker = ?";
constexpr char kUpdateJobSql[] =
    ASSAY_SET_PROGRESS ", lease_id = ?, avoid_worker = ? WHERE seq = ?";
#undef ASSAY_SET_PROGRESS
constexpr char kSelectJobSql[] = ASSAY_SELECT_JOB "jobs.id = ?";
constexpr char kSelectOfLeaseSql[] = ASSAY_SELECT_JOB
    "jobs.lease_id = ? AND jobs.lease_id <> '' "
    "ORDER BY jobs.seq";
constexpr char kSelectActiveSql[] = ASSAY_SELECT_JOB
    "jobs.submission_id = ? AND jobs.state IN (1, 2) ORDER BY jobs.seq";
constexpr char kSelectWaitingSql[] = ASSAY_SELECT_JOB
    "jobs.submission_id = ? AND jobs.hardware = ? AND jobs.avoid_worker = ?"
    " AND jobs.state = 1 AND jobs.held = 0 ORDER BY jobs.seq LIMIT ?";
constexpr char kSelectChangedSql[] = ASSAY_SELECT_JOB
    "jobs.submission_id = ? AND jobs.change_seq > ?"
    " ORDER BY jobs.change_seq LIMIT ?";
constexpr char kListJobsSql[] = ASSAY_SELECT_JOB
    "jobs.submission_id = ? AND jobs.seq > ? "
    "ORDER BY jobs.seq";
#undef ASSAY_SELECT_JOB

constexpr char kSelectRequirementsSql[] =
    "SELECT submissions.language, submissions.binding, jobs.hardware"
    " FROM jobs JOIN submissions ON submissions.id = jobs.submission_id"
    " WHERE jobs.id = ?";
constexpr char kHasActiveSql[] =
    "SELECT EXISTS (SELECT 1 FROM jobs"
    " WHERE submission_id = ? AND state IN (1, 2))";
constexpr char kLatestChangeSql[] = "SELECT latest FROM change_counter";
constexpr char kNoteLatestChangeSql[] = "UPDATE change_counter SET latest = ?";
constexpr char kSelectGroupsSql[] =
    "SELECT waiting.submission_id, waiting.avoid_worker, waiting.first_seq,"
    " submissions.author, submissions.priority,"
    " submissions.language, submissions.binding, waiting.hardware,"
    " COALESCE(author_turns.turn, 0), waiting.jobs, submissions.definition,"
    " submissions.solution_digest"
    " FROM (SELECT submission_id, hardware, avoid_worker,"
    "  MIN(seq) AS first_seq, COUNT(*) AS jobs FROM jobs WHERE state = 1 AND "
    "held = 0"
    "  GROUP BY submission_id, hardware, avoid_worker) AS waiting"
    " JOIN submissions ON submissions.id = waiting.submission_id"
    " LEFT JOIN author_turns ON author_turns.author = submissions.author"
    " ORDER BY waiting.first_seq";
constexpr char kCountWaitingSql[] =
    "SELECT COUNT(*) FROM jobs WHERE state = 1 AND held = 0";
// By way of the leases: there are few, and jobs without end.
constexpr char kCountHeldSql[] =
    "SELECT COUNT(*) FROM leases JOIN jobs ON jobs.lease_id = leases.id"
    " AND jobs.lease_id <> '' WHERE leases.state = 1 AND jobs.held = 1";
constexpr char kTakeTurnSql[] =
    "INSERT INTO author_turns (author, turn)"
    " VALUES (?, (SELECT COALESCE(MAX(turn), 0) + 1 FROM author_turns))"
    " ON CONFLICT (author) DO UPDATE SET turn = excluded.turn";

// No word is empty or has a line feed, so an empty line ends a list.
constexpr char kWordSeparator[] = "\n";
constexpr char kListSeparator[] = "\n\n";

std::string JoinHardware(const std::vector<HardwareWords>& lists) {
  return absl::StrJoin(
      lists, kListSeparator, [](std::string* out, const HardwareWords& words) {
        absl::StrAppend(out, absl::StrJoin(words, kWordSeparator));
      });
}

std::vector<HardwareWords> SplitHardware(absl::string_view joined) {
  std::vector<HardwareWords> lists;
  for (absl::string_view words :
       absl::StrSplit(joined, kListSeparator, absl::SkipEmpty())) {
    lists.push_back(absl::StrSplit(words, kWordSeparator, absl::SkipEmpty()));
  }
  return lists;
}

// `row` has language, binding and hardware from `column` on.
Requirements ReadRequirements(const Statement& row, int column) {
  Requirements requirements;
  requirements.language = static_cast<v1::BuildSpec::Language>(row.Int(column));
  requirements.binding =
      static_cast<v1::BuildSpec::Binding>(row.Int(column + 1));
  requirements.hardware = SplitHardware(row.Text(column + 2));
  return requirements;
}

JobRow ReadRow(const Statement& row) {
  JobRow result;
  v1::Job& job = result.job;
  result.seq = row.Int(0);
  job.set_id(row.String(1));
  job.set_submission_id(row.String(2));
  job.set_definition(row.String(3));
  job.set_solution(row.String(4));
  job.set_workload_uuid(row.String(5));
  if (std::vector<HardwareWords> lists = SplitHardware(row.Text(6));
      !lists.empty()) {
    job.mutable_hardware()->Add(lists[0].begin(), lists[0].end());
  }
  job.set_state(static_cast<v1::JobState>(row.Int(7)));
  job.set_stage(static_cast<v1::JobStage>(row.Int(8)));
  job.set_attempt(static_cast<int32_t>(row.Int(9)));
  result.fence = row.Int(10);
  result.lease_id = row.String(11);
  result.held = row.Int(12) != 0;
  result.failures = static_cast<int>(row.Int(13));
  result.avoid_worker = row.String(14);
  if (job.state() == v1::FAILED) {
    job.mutable_failure()->set_reason(row.String(15));
    job.mutable_failure()->set_message(row.String(16));
  }
  job.set_trace_id(row.String(17));
  result.change_seq = row.Int(18);
  return result;
}

}  // namespace

bool IsEnded(v1::JobState state) {
  return state == v1::COMPLETED || state == v1::FAILED ||
         state == v1::CANCELLED;
}

absl::Status JobTable::Insert(absl::string_view id,
                              absl::string_view submission_id,
                              absl::string_view workload_uuid,
                              const std::vector<HardwareWords>& hardware) {
  Statement statement = database_.Prepare(kInsertJobSql);
  statement.Bind(id)
      .Bind(submission_id)
      .Bind(workload_uuid)
      .Bind(JoinHardware(hardware))
      .Bind(changes_.NextChange());
  changes_.effects().queue_grew = true;
  ASSAY_RETURN_IF_ERROR(statement.Run());
  return SubmissionTable(database_).SetActive(submission_id, true);
}

absl::Status JobTable::Save(JobRow& row) {
  ASSAY_RETURN_IF_ERROR(Update(row));
  SubmissionChange& change = Tell(row.job.submission_id(), row.change_seq);
  *change.event.mutable_job() = row.job;
  return AfterSave(row);
}

absl::Status JobTable::Save(JobRow& row, v1::TraceRecord trace) {
  ASSAY_RETURN_IF_ERROR(Update(row));
  SubmissionChange& change = Tell(row.job.submission_id(), row.change_seq);
  *change.event.mutable_trace() = std::move(trace);
  return AfterSave(row);
}

absl::Status JobTable::Update(JobRow& row) {
  row.change_seq = changes_.NextChange();
  const v1::Job& job = row.job;
  const auto bind_progress = [&](Statement& statement) {
    statement.Bind(static_cast<int>(job.state()))
        .Bind(static_cast<int>(job.stage()))
        .Bind(job.attempt())
        .Bind(row.fence)
        .Bind(row.held)
        .Bind(row.failures)
        .Bind(job.failure().reason())
        .Bind(job.failure().message())
        .Bind(job.trace_id())
        .Bind(row.change_seq);
  };
  {
    Statement progress = database_.Prepare(kUpdateProgressSql);
    bind_progress(progress);
    progress.Bind(row.seq).Bind(row.lease_id).Bind(row.avoid_worker);
    ASSAY_RETURN_IF_ERROR(progress.Run());
  }
  if (database_.changes() > 0) return absl::OkStatus();
  Statement all = database_.Prepare(kUpdateJobSql);
  bind_progress(all);
  all.Bind(row.lease_id).Bind(row.avoid_worker).Bind(row.seq);
  return all.Run();
}

SubmissionChange& JobTable::Tell(const std::string& submission_id,
                                 int64_t change_seq) {
  SubmissionChange& change = changes_.effects().changes.emplace_back();
  change.change_seq = change_seq;
  change.event.set_submission_id(submission_id);
  change.event.set_time_us(changes_.now_us());
  return change;
}

absl::Status JobTable::AfterSave(const JobRow& row) {
  const v1::JobState state = row.job.state();
  if (state == v1::QUEUED && !row.held) changes_.effects().queue_grew = true;
  return IsEnded(state) ? TellIfDone(row.job.submission_id())
                        : absl::OkStatus();
}

absl::Status JobTable::TellIfDone(const std::string& submission_id) {
  Statement statement = database_.Prepare(kHasActiveSql);
  statement.Bind(submission_id);
  ASSAY_RETURN_IF_ERROR(statement.Step().status());
  if (statement.Int(0) != 0) return absl::OkStatus();
  ASSAY_RETURN_IF_ERROR(
      SubmissionTable(database_).SetActive(submission_id, false));
  ASSAY_ASSIGN_OR_RETURN(v1::Submission submission,
                         SubmissionTable(database_).Get(submission_id));
  *Tell(submission_id, changes_.NextChange()).event.mutable_done() =
      std::move(submission);
  return absl::OkStatus();
}

absl::StatusOr<absl::optional<JobRow>> JobTable::Find(absl::string_view id) {
  Statement statement = database_.Prepare(kSelectJobSql);
  statement.Bind(id);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return absl::optional<JobRow>();
  return absl::make_optional(ReadRow(statement));
}

absl::StatusOr<Requirements> JobTable::RequirementsOf(absl::string_view id) {
  Statement statement = database_.Prepare(kSelectRequirementsSql);
  statement.Bind(id);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return absl::InternalError("store: a job has no submission");
  return ReadRequirements(statement, 0);
}

absl::StatusOr<std::vector<JobRow>> JobTable::ReadAll(Statement statement) {
  std::vector<JobRow> rows;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return rows;
    rows.push_back(ReadRow(statement));
  }
}

absl::StatusOr<std::vector<JobRow>> JobTable::OfLease(
    absl::string_view lease_id) {
  Statement statement = database_.Prepare(kSelectOfLeaseSql);
  statement.Bind(lease_id);
  return ReadAll(std::move(statement));
}

absl::StatusOr<std::vector<JobRow>> JobTable::Active(
    absl::string_view submission_id) {
  Statement statement = database_.Prepare(kSelectActiveSql);
  statement.Bind(submission_id);
  return ReadAll(std::move(statement));
}

absl::StatusOr<std::vector<JobRow>> JobTable::Waiting(const QueuedGroup& group,
                                                      int limit) {
  Statement statement = database_.Prepare(kSelectWaitingSql);
  statement.Bind(group.submission_id)
      .Bind(JoinHardware(group.requirements.hardware))
      .Bind(group.avoid_worker)
      .Bind(limit);
  return ReadAll(std::move(statement));
}

absl::StatusOr<std::vector<JobRow>> JobTable::ChangedSince(
    absl::string_view submission_id, int64_t change_seq, int limit) {
  Statement statement = database_.Prepare(kSelectChangedSql);
  statement.Bind(submission_id).Bind(change_seq).Bind(limit);
  return ReadAll(std::move(statement));
}

absl::StatusOr<v1::ListJobsResponse> JobTable::List(
    absl::string_view submission_id, Paging paging) {
  v1::ListJobsResponse response;
  Statement statement = database_.Prepare(kListJobsSql);
  statement.Bind(submission_id).Bind(paging.after_number());
  int64_t last = 0;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
    if (!found) return response;
    JobRow row = ReadRow(statement);
    if (!paging.Take(row.job.ByteSizeLong())) break;
    last = row.seq;
    *response.add_jobs() = std::move(row.job);
  }
  response.set_next_page_token(paging.Token(absl::StrCat(last)));
  return response;
}

absl::StatusOr<std::vector<QueuedGroup>> JobTable::WaitingGroups() {
  std::vector<QueuedGroup> groups;
  Statement row = database_.Prepare(kSelectGroupsSql);
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool found, row.Step());
    if (!found) return groups;
    QueuedGroup group;
    group.submission_id = row.String(0);
    group.avoid_worker = row.String(1);
    group.first_seq = row.Int(2);
    group.author = row.String(3);
    group.priority = static_cast<int>(row.Int(4));
    group.requirements = ReadRequirements(row, 5);
    group.author_turn = row.Int(8);
    group.jobs = row.Int(9);
    group.definition = row.String(10);
    group.solution_digest = row.String(11);
    groups.push_back(std::move(group));
  }
}

absl::StatusOr<int64_t> JobTable::Count(absl::string_view sql) {
  Statement statement = database_.Prepare(sql);
  ASSAY_RETURN_IF_ERROR(statement.Step().status());
  return statement.Int(0);
}

absl::StatusOr<int64_t> JobTable::CountWaiting() {
  return Count(kCountWaitingSql);
}

absl::StatusOr<int64_t> JobTable::CountHeld() { return Count(kCountHeldSql); }

absl::Status JobTable::TakeTurn(absl::string_view author) {
  return database_.Prepare(kTakeTurnSql).Bind(author).Run();
}

absl::StatusOr<int64_t> JobTable::LatestChange(Database& database) {
  Statement statement = database.Prepare(kLatestChangeSql);
  ASSAY_RETURN_IF_ERROR(statement.Step().status());
  return statement.Int(0);
}

absl::Status JobTable::NoteLatestChange(Database& database, int64_t latest) {
  return database.Prepare(kNoteLatestChangeSql).Bind(latest).Run();
}

}  // namespace assay
