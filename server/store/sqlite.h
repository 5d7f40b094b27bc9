// SQLite in four RAII types; the only header that knows it.
//
//   ASSAY_ASSIGN_OR_RETURN(auto database, Database::Open(path, mode));
//   ASSAY_ASSIGN_OR_RETURN(Transaction transaction,
//                          Transaction::Begin(*database));
//   Statement statement = database->Prepare(kSelectWorkerSql);
//   statement.Bind(worker_id);
//   ASSAY_ASSIGN_OR_RETURN(bool found, statement.Step());
//   if (found) Use(statement.Text(0));
//   return transaction.Commit();
//
// Not thread-safe: each thread has its own Database.

#ifndef ASSAY_SERVER_STORE_SQLITE_H_
#define ASSAY_SERVER_STORE_SQLITE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/message_lite.h"

struct sqlite3;
struct sqlite3_stmt;

namespace assay {

class Statement;

// A connection. Statements and transactions must not outlive it.
class Database {
 public:
  enum class Mode { kReadWriteCreate, kReadOnly };

  // Opens the file, durable at every commit. Changes nothing in it: it may
  // belong to someone else.
  static absl::StatusOr<std::unique_ptr<Database>> Open(const std::string& path,
                                                        Mode mode);
  ~Database();
  // Statements point at it.
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // A statement from the cache, or a new one. What is wrong with the text is
  // reported by the statement's first Step.
  Statement Prepare(absl::string_view sql);

  // Runs any number of statements that return no rows.
  absl::Status Execute(const std::string& sql);

  // Readers do not wait for the writer from now on, in whatever process opens
  // the file. FAILED_PRECONDITION when the file cannot be used that way.
  absl::Status EnableWal();

  // Leaves checkpoints to others from now on: no commit does one by itself.
  void LeaveCheckpoints();
  // Pages in the write-ahead log after the latest commit, where checkpoints are
  // left to others.
  int log_pages() const { return log_pages_; }
  // Moves into the database what is in the log and no reader needs there. Does
  // not wait for others.
  absl::Status Checkpoint();

  // False too after SQLite rolled back by itself, as it does when the disk is
  // full.
  bool in_transaction() const;

  // Rows changed by the latest INSERT, UPDATE or DELETE.
  int64_t changes() const;

  // INTEGER PRIMARY KEY of the latest row that was inserted into a table that
  // has one.
  int64_t last_row() const;

 private:
  friend class Statement;
  explicit Database(sqlite3* handle) : handle_(handle) {}

  sqlite3* handle_;
  int log_pages_ = 0;
  // Prepared statements that nobody uses at the moment, by their text.
  // Statements point at the lists.
  absl::node_hash_map<std::string, std::vector<sqlite3_stmt*>> prepared_;
};

// A prepared statement with its values. Goes back to the cache at the end.
class Statement {
 public:
  ~Statement();
  Statement(Statement&& other) noexcept
      : database_(other.database_),
        idle_(other.idle_),
        handle_(std::exchange(other.handle_, nullptr)),
        next_parameter_(other.next_parameter_),
        status_(std::move(other.status_)) {}
  // Nothing needs it.
  Statement& operator=(Statement&&) = delete;

  // Sets the next `?`. The first error is reported by Step.
  Statement& Bind(int64_t value);
  Statement& Bind(int value) { return Bind(static_cast<int64_t>(value)); }
  Statement& Bind(bool value) { return Bind(static_cast<int64_t>(value)); }
  Statement& Bind(double value);
  Statement& Bind(absl::string_view value);
  Statement& Bind(const char* value) { return Bind(absl::string_view(value)); }
  Statement& Bind(const std::string& value) {
    return Bind(absl::string_view(value));
  }
  // The serialised message, as a BLOB.
  Statement& Bind(const google::protobuf::MessageLite& message);

  // True: there is a row to read. False: the end.
  absl::StatusOr<bool> Step();
  // Runs a statement that returns no rows.
  absl::Status Run();

  // Columns of the current row, counted from 0. Views last until the next Step.
  int64_t Int(int column) const;
  double Double(int column) const;
  absl::string_view Text(int column) const;
  std::string String(int column) const { return std::string(Text(column)); }
  // DATA_LOSS when the column does not hold such a message.
  absl::Status Message(int column, google::protobuf::MessageLite& out) const;

 private:
  friend class Database;
  Statement(Database& database, std::vector<sqlite3_stmt*>& idle,
            sqlite3_stmt* handle, absl::Status status)
      : database_(&database),
        idle_(&idle),
        handle_(handle),
        status_(std::move(status)) {}
  void Check(int code);

  Database* database_;
  // Where it goes at the end.
  std::vector<sqlite3_stmt*>* idle_;
  sqlite3_stmt* handle_;
  int next_parameter_ = 1;
  absl::Status status_;
};

// BEGIN IMMEDIATE … COMMIT; rolls back unless committed.
class Transaction {
 public:
  static absl::StatusOr<Transaction> Begin(Database& database);
  // A snapshot for reading.
  static absl::StatusOr<Transaction> BeginRead(Database& database);
  ~Transaction();
  Transaction(Transaction&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)) {}
  // Nothing needs it.
  Transaction& operator=(Transaction&&) = delete;

  absl::Status Commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

// One step within a transaction that can be undone on its own; undone unless
// released. FAILED_PRECONDITION without a transaction, where it would commit on
// its own.
class Savepoint {
 public:
  static absl::StatusOr<Savepoint> Begin(Database& database);
  ~Savepoint();
  Savepoint(Savepoint&& other) noexcept
      : database_(std::exchange(other.database_, nullptr)) {}
  // Nothing needs it.
  Savepoint& operator=(Savepoint&&) = delete;

  absl::Status Release();

 private:
  explicit Savepoint(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_SQLITE_H_
