#include "server/store/sqlite.h"

#include <sqlite3.h>

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr char kPragmasSql[] =
    "PRAGMA busy_timeout = 5000;"
    "PRAGMA foreign_keys = ON;"
    "PRAGMA synchronous = FULL;"
    "PRAGMA cache_size = -16384;"
    // The store may come from elsewhere: no code hides in its schema.
    "PRAGMA trusted_schema = OFF;";

// A reader sorts in memory. A writer must not: its savepoints would be kept in
// pieces of a kilobyte each, one for every page that a unit of work touches.
constexpr char kReaderPragmasSql[] = "PRAGMA temp_store = MEMORY;";

constexpr char kEnableWalSql[] = "PRAGMA journal_mode = WAL";
constexpr char kCheckpointSql[] = "PRAGMA wal_autocheckpoint = 4000;";

// Bytes of a savepoint that are kept in memory, in one piece.
constexpr int kSavepointBytes = 256 << 10;

// For the whole process, before its first connection.
void ConfigureLibrary() {
  static const bool done = [] {
    // With statistics every allocation takes a lock that all connections share.
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, kSavepointBytes);
    return true;
  }();
  (void)done;
}

absl::StatusCode CodeOf(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
    case SQLITE_NOMEM:
      return absl::StatusCode::kResourceExhausted;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::StatusCode::kUnavailable;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
      return absl::StatusCode::kFailedPrecondition;
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
      return absl::StatusCode::kDataLoss;
    default:
      return absl::StatusCode::kInternal;
  }
}

absl::Status SqliteError(int code, absl::string_view message) {
  return absl::Status(CodeOf(code), absl::StrCat("store: ", message));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Database>> Database::Open(
    const std::string& path, Mode mode) {
  const int flags =
      SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
      (mode == Mode::kReadOnly ? SQLITE_OPEN_READONLY
                               : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  ConfigureLibrary();
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  // A handle is made even for a failed open, and has to be closed.
  std::unique_ptr<Database> database(new Database(handle));
  if (code != SQLITE_OK) {
    return SqliteError(code, handle == nullptr ? sqlite3_errstr(code)
                                               : sqlite3_errmsg(handle));
  }
  ASSAY_RETURN_IF_ERROR(database->Execute(kPragmasSql));
  if (mode == Mode::kReadOnly) {
    ASSAY_RETURN_IF_ERROR(database->Execute(kReaderPragmasSql));
  }
  return database;
}

Database::~Database() {
  for (const auto& [sql, idle] : prepared_) {
    for (sqlite3_stmt* statement : idle) sqlite3_finalize(statement);
  }
  sqlite3_close(handle_);
}

Statement Database::Prepare(absl::string_view sql) {
  auto it = prepared_.find(sql);
  if (it == prepared_.end()) {
    it = prepared_.try_emplace(std::string(sql)).first;
  }
  std::vector<sqlite3_stmt*>& idle = it->second;
  if (!idle.empty()) {
    sqlite3_stmt* cached = idle.back();
    idle.pop_back();
    return Statement(*this, idle, cached, absl::OkStatus());
  }
  sqlite3_stmt* handle = nullptr;
  const int code =
      sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                         SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  absl::Status status;
  if (code != SQLITE_OK) status = SqliteError(code, sqlite3_errmsg(handle_));
  return Statement(*this, idle, handle, std::move(status));
}

absl::Status Database::Execute(const std::string& sql) {
  char* message = nullptr;
  const int code =
      sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &message);
  if (code == SQLITE_OK) return absl::OkStatus();
  absl::Status status =
      SqliteError(code, message == nullptr ? sqlite3_errstr(code) : message);
  sqlite3_free(message);
  return status;
}

absl::Status Database::EnableWal() {
  {
    Statement statement = Prepare(kEnableWalSql);
    ASSAY_RETURN_IF_ERROR(statement.Step().status());
    // No error: it answers with the mode that it stays in.
    if (statement.Text(0) != "wal") {
      return absl::FailedPreconditionError(absl::StrCat(
          "store: journal mode \"", statement.Text(0),
          "\" instead of \"wal\": choose a --store on a local file system"));
    }
  }
  return Execute(kCheckpointSql);
}

void Database::LeaveCheckpoints() {
  // In place of the hook by which SQLite does them itself.
  sqlite3_wal_hook(
      handle_,
      [](void* self, sqlite3*, const char*, int pages) {
        static_cast<Database*>(self)->log_pages_ = pages;
        return SQLITE_OK;
      },
      this);
}

absl::Status Database::Checkpoint() {
  const int code = sqlite3_wal_checkpoint_v2(
      handle_, nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  // Somebody else is at it.
  if (code == SQLITE_OK || code == SQLITE_BUSY) return absl::OkStatus();
  return SqliteError(code, sqlite3_errmsg(handle_));
}

bool Database::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

int64_t Database::changes() const { return sqlite3_changes64(handle_); }

int64_t Database::last_row() const {
  return sqlite3_last_insert_rowid(handle_);
}

Statement::~Statement() {
  if (handle_ == nullptr) return;
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
  idle_->push_back(handle_);
}

void Statement::Check(int code) {
  if (code != SQLITE_OK && status_.ok()) {
    status_ = SqliteError(code, sqlite3_errmsg(database_->handle_));
  }
}

Statement& Statement::Bind(int64_t value) {
  if (handle_ == nullptr) return *this;
  Check(sqlite3_bind_int64(handle_, next_parameter_++, value));
  return *this;
}

Statement& Statement::Bind(double value) {
  if (handle_ == nullptr) return *this;
  Check(sqlite3_bind_double(handle_, next_parameter_++, value));
  return *this;
}

Statement& Statement::Bind(absl::string_view value) {
  if (handle_ == nullptr) return *this;
  // An empty view may have no data; that would bind NULL.
  const char* data = value.data() == nullptr ? "" : value.data();
  Check(sqlite3_bind_text64(handle_, next_parameter_++, data, value.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}

Statement& Statement::Bind(const google::protobuf::MessageLite& message) {
  if (handle_ == nullptr) return *this;
  // SQLite's own memory, which it frees: messages are large to copy.
  const size_t size = message.ByteSizeLong();
  void* bytes = sqlite3_malloc64(std::max<size_t>(size, 1));
  if (bytes == nullptr) {
    Check(SQLITE_NOMEM);
    return *this;
  }
  message.SerializeWithCachedSizesToArray(static_cast<uint8_t*>(bytes));
  Check(sqlite3_bind_blob64(handle_, next_parameter_++, bytes, size,
                            sqlite3_free));
  return *this;
}

absl::StatusOr<bool> Statement::Step() {
  ASSAY_RETURN_IF_ERROR(status_);
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  status_ = SqliteError(code, sqlite3_errmsg(database_->handle_));
  return status_;
}

absl::Status Statement::Run() {
  ASSAY_ASSIGN_OR_RETURN(const bool row, Step());
  if (row) return absl::InternalError("store: unexpected row");
  return absl::OkStatus();
}

int64_t Statement::Int(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::Double(int column) const {
  return sqlite3_column_double(handle_, column);
}

absl::string_view Statement::Text(int column) const {
  const void* data = sqlite3_column_blob(handle_, column);
  const int size = sqlite3_column_bytes(handle_, column);
  return {static_cast<const char*>(data), static_cast<size_t>(size)};
}

absl::Status Statement::Message(int column,
                                google::protobuf::MessageLite& out) const {
  const absl::string_view bytes = Text(column);
  if (out.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return absl::OkStatus();
  }
  return absl::DataLossError(
      absl::StrCat("store: a stored ", out.GetTypeName(), " is damaged"));
}

absl::StatusOr<Transaction> Transaction::Begin(Database& database) {
  ASSAY_RETURN_IF_ERROR(database.Prepare("BEGIN IMMEDIATE").Run());
  return Transaction(database);
}

absl::StatusOr<Transaction> Transaction::BeginRead(Database& database) {
  ASSAY_RETURN_IF_ERROR(database.Prepare("BEGIN").Run());
  return Transaction(database);
}

Transaction::~Transaction() {
  // Fails only when SQLite has rolled back by itself.
  if (database_ != nullptr) {
    database_->Prepare("ROLLBACK").Run().IgnoreError();
  }
}

absl::Status Transaction::Commit() {
  ASSAY_RETURN_IF_ERROR(database_->Prepare("COMMIT").Run());
  database_ = nullptr;
  return absl::OkStatus();
}

absl::StatusOr<Savepoint> Savepoint::Begin(Database& database) {
  if (!database.in_transaction()) {
    return absl::FailedPreconditionError("store: no transaction is open");
  }
  ASSAY_RETURN_IF_ERROR(database.Prepare("SAVEPOINT step").Run());
  return Savepoint(database);
}

Savepoint::~Savepoint() {
  if (database_ == nullptr) return;
  database_->Prepare("ROLLBACK TO step").Run().IgnoreError();
  database_->Prepare("RELEASE step").Run().IgnoreError();
}

absl::Status Savepoint::Release() {
  ASSAY_RETURN_IF_ERROR(database_->Prepare("RELEASE step").Run());
  database_ = nullptr;
  return absl::OkStatus();
}

}  // namespace assay
