// A store in a temporary folder, without threads, for tests of what runs in a
// unit of work.
//
//   TestStore store;
//   ASSERT_OK(store.Run([&](Session& session) { return Insert(session); }));
//   EXPECT_TRUE(store.effects().queue_grew);

#ifndef ASSAY_SERVER_STORE_SESSION_TESTING_H_
#define ASSAY_SERVER_STORE_SESSION_TESTING_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "base/clock.h"
#include "base/file.h"
#include "server/store/effects.h"
#include "server/store/migrations.h"
#include "server/store/session.h"
#include "server/store/sqlite.h"

namespace assay {

class TestStore {
 public:
  TestStore() : folder_(TempDir::Create("assay-store-").value()) {
    database_ = Database::Open(folder_.path() + "/assay.db",
                               Database::Mode::kReadWriteCreate)
                    .value();
    Migrate(*database_, BuiltInMigrations(), "assay.db").IgnoreError();
  }

  // Runs `work` as the store's writer would, and returns what it returns.
  template <typename Work>
  auto Run(Work work) {
    Transaction transaction = Transaction::Begin(*database_).value();
    Session session(*database_, counter_, absl::ToUnixMicros(clock_.Now()));
    auto result = work(session);
    effects_ = Effects();
    if (IsOkStatus(result)) {
      transaction.Commit().IgnoreError();
      effects_ = session.TakeEffects();
    }
    return result;
  }

  // Of the latest Run.
  const Effects& effects() const { return effects_; }
  FakeClock& clock() { return clock_; }
  const std::string& folder() const { return folder_.path(); }

 private:
  static bool IsOkStatus(const absl::Status& status) { return status.ok(); }
  template <typename T>
  static bool IsOkStatus(const absl::StatusOr<T>& result) {
    return result.ok();
  }

  TempDir folder_;
  FakeClock clock_;
  int64_t counter_ = 0;
  std::unique_ptr<Database> database_;
  Effects effects_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_SESSION_TESTING_H_
