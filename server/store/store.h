// The coordinator's memory: one SQLite file.
//
//   Store::Options options;
//   options.path = "assay.db";
//   ASSAY_ASSIGN_OR_RETURN(std::unique_ptr<Store> store,
//                          Store::Open(std::move(options)));
//   store->Write<v1::Submission>(
//       [=](Session& session) { return CreateSubmission(session, request); },
//       [=](absl::StatusOr<v1::Submission> result) { … });
//
// One thread writes; what is posted while it commits shares the next
// transaction, and each `done` is called after the commit. Other threads read,
// each on its own connection, from a snapshot. Work runs within a transaction
// and is undone when it returns an error. Thread-safe; no call blocks.

#ifndef ASSAY_SERVER_STORE_STORE_H_
#define ASSAY_SERVER_STORE_STORE_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "server/store/effects.h"
#include "server/store/session.h"
#include "server/store/task_queue.h"
#include "server/store/writer.h"

namespace assay {

class Checkpointer;
class StoreLock;
class StoreReaders;

class Store {
 public:
  struct Options {
    // Created, with its schema, when it is missing.
    std::string path;
    Clock* clock = &Clock::Real();
    int readers = 2;
    // Units of work that may wait, for the writer and for the readers; one
    // more is refused with RESOURCE_EXHAUSTED.
    size_t max_waiting = 10000;
    // Called on the writer's thread after every commit, before the `done`s.
    // Must not block.
    std::function<void(Effects)> on_commit;
    // Called on the writer's thread after every transaction. Must not block.
    std::function<void(const StoreGroup&)> on_group;
  };

  // Units of work that wait for their turn.
  struct Waiting {
    size_t writes = 0;
    size_t reads = 0;
  };

  using Work = StoreWork;
  using Done = StoreDone;

  // FAILED_PRECONDITION when the file cannot be used, with the reason.
  static absl::StatusOr<std::unique_ptr<Store>> Open(Options options);
  // Stops.
  ~Store();

  // Without links, however Options named it.
  const std::string& path() const { return path_; }
  Waiting waiting() const;
  // Size of the store's files: the database and its log of changes.
  int64_t bytes() const;

  // Posts work for the writer. `done` is called once, on some thread, maybe
  // before this returns.
  void PostWrite(Work work, Done done);
  // Posts work for a reader; it must not change anything.
  void PostRead(Work work, Done done);

  // The same with a result.
  template <typename T>
  void Write(std::function<absl::StatusOr<T>(Session&)> work,
             std::function<void(absl::StatusOr<T>)> done) {
    auto [typed_work, typed_done] = Typed(std::move(work), std::move(done));
    PostWrite(std::move(typed_work), std::move(typed_done));
  }
  template <typename T>
  void Read(std::function<absl::StatusOr<T>(Session&)> work,
            std::function<void(absl::StatusOr<T>)> done) {
    auto [typed_work, typed_done] = Typed(std::move(work), std::move(done));
    PostRead(std::move(typed_work), std::move(typed_done));
  }

  // Wait for the result. For start-up, threads of their own and tests, never in
  // a reaction.
  template <typename T>
  absl::StatusOr<T> WriteAndWait(
      std::function<absl::StatusOr<T>(Session&)> work) {
    return WaitFor<T>(&Store::PostWrite, work);
  }

  template <typename T>
  absl::StatusOr<T> ReadAndWait(
      std::function<absl::StatusOr<T>(Session&)> work) {
    return WaitFor<T>(&Store::PostRead, work);
  }

  // Finishes what is posted and refuses more with UNAVAILABLE. Not from a
  // `done`.
  void Stop();

 private:
  Store();
  absl::Status Wait(void (Store::*post)(Work, Done), Work work);

  template <typename T>
  absl::StatusOr<T> WaitFor(
      void (Store::*post)(Work, Done),
      const std::function<absl::StatusOr<T>(Session&)>& work) {
    absl::StatusOr<T> result = absl::UnknownError("not run");
    const absl::Status status = Wait(post, [&](Session& session) {
      result = work(session);
      return result.status();
    });
    if (!status.ok()) return status;
    return result;
  }

  template <typename T>
  static std::pair<Work, Done> Typed(
      std::function<absl::StatusOr<T>(Session&)> work,
      std::function<void(absl::StatusOr<T>)> done) {
    // Work and its answer are parted by the commit; this joins them.
    auto result =
        std::make_shared<absl::StatusOr<T>>(absl::UnknownError("not run"));
    return {[result, work = std::move(work)](Session& session) {
              *result = work(session);
              return result->status();
            },
            [result, done = std::move(done)](absl::Status status) {
              if (!status.ok()) *result = std::move(status);
              done(std::move(*result));
            }};
  }

  std::string path_;
  // Destroyed from the last to the first: the lock outlives the connections.
  std::unique_ptr<StoreLock> lock_;
  std::unique_ptr<Checkpointer> checkpointer_;
  std::unique_ptr<StoreWriter> writer_;
  std::unique_ptr<StoreReaders> readers_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_STORE_H_
