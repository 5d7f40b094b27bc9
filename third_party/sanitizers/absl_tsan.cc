// Tells ThreadSanitizer what the system's Abseil does, which was compiled
// without it: that who takes a mutex sees what its last holder did, and who
// waited for a notification what was done before. Without this each field that
// an absl::Mutex guards would be reported.
//
// The functions here stand before those of the library, and call them: who
// calls one, in the program or in gRPC, comes by here.

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

#include <cstdlib>
#include <type_traits>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"

namespace {

// The function of that name in the library.
template <typename Function>
Function* Next(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == nullptr) std::abort();
  return reinterpret_cast<Function*>(found);
}

// Some of these functions call others; the outermost one speaks.
thread_local bool inside = false;

// What happens between two words to ThreadSanitizer is left out of its account:
// a thread that unlocks evaluates the conditions of those that wait, under a
// mutex that counts as released already.
template <typename Call>
auto Acquire(void* mutex, unsigned flags, Call call) {
  if (inside) return call();
  inside = true;
  __tsan_mutex_pre_lock(mutex, flags);
  if constexpr (std::is_same_v<decltype(call()), void>) {
    call();
    __tsan_mutex_post_lock(mutex, flags, 0);
    inside = false;
  } else {
    const auto result = call();
    const bool failed = (flags & __tsan_mutex_try_lock) != 0 && !result;
    __tsan_mutex_post_lock(
        mutex, flags | (failed ? __tsan_mutex_try_lock_failed : 0U), 0);
    inside = false;
    return result;
  }
}

template <typename Call>
void Release(void* mutex, unsigned flags, Call call) {
  if (inside) return call();
  inside = true;
  __tsan_mutex_pre_unlock(mutex, flags);
  call();
  __tsan_mutex_post_unlock(mutex, flags);
  inside = false;
}

// Others hold the mutex in between. For those who hold it alone: nobody here
// waits under a reader's lock.
template <typename Call>
auto Wait(void* mutex, Call call) {
  if (inside) return call();
  Release(mutex, 0, [] {});
  return Acquire(mutex, 0, call);
}

// Its address alone is read.
const char* FlagOf(const absl::Notification* notification) {
  return reinterpret_cast<const char*>(notification) + sizeof(absl::Mutex);
}

// Of the two that acquire, HasBeenNotified is inline and reads the flag.
void Released(absl::Notification* notification) {
  __tsan_release(notification);
  __tsan_release(const_cast<char*>(FlagOf(notification)));
}

void Acquired(const absl::Notification* notification) {
  __tsan_acquire(const_cast<absl::Notification*>(notification));
}

}  // namespace

// The function of the library that is called like the one around it.
#define ASSAY_NEXT(mangled, ...) \
  static const auto next = Next<__VA_ARGS__>(mangled)

namespace absl {
inline namespace debian3 {

Mutex::~Mutex() {
  ASSAY_NEXT("_ZN4absl7debian35MutexD1Ev", void(Mutex*));
  __tsan_mutex_destroy(this, __tsan_mutex_not_static);
  next(this);
}

void Mutex::Lock() {
  ASSAY_NEXT("_ZN4absl7debian35Mutex4LockEv", void(Mutex*));
  Acquire(this, 0, [this] { next(this); });
}

void Mutex::Unlock() {
  ASSAY_NEXT("_ZN4absl7debian35Mutex6UnlockEv", void(Mutex*));
  Release(this, 0, [this] { next(this); });
}

bool Mutex::TryLock() {
  ASSAY_NEXT("_ZN4absl7debian35Mutex7TryLockEv", bool(Mutex*));
  return Acquire(this, __tsan_mutex_try_lock, [this] { return next(this); });
}

void Mutex::ReaderLock() {
  ASSAY_NEXT("_ZN4absl7debian35Mutex10ReaderLockEv", void(Mutex*));
  Acquire(this, __tsan_mutex_read_lock, [this] { next(this); });
}

void Mutex::ReaderUnlock() {
  ASSAY_NEXT("_ZN4absl7debian35Mutex12ReaderUnlockEv", void(Mutex*));
  Release(this, __tsan_mutex_read_lock, [this] { next(this); });
}

bool Mutex::ReaderTryLock() {
  ASSAY_NEXT("_ZN4absl7debian35Mutex13ReaderTryLockEv", bool(Mutex*));
  return Acquire(this, __tsan_mutex_read_lock | __tsan_mutex_try_lock,
                 [this] { return next(this); });
}

void Mutex::Await(const Condition& condition) {
  ASSAY_NEXT("_ZN4absl7debian35Mutex5AwaitERKNS0_9ConditionE",
             void(Mutex*, const Condition&));
  Wait(this, [&] { next(this, condition); });
}

bool Mutex::AwaitWithTimeout(const Condition& condition, Duration timeout) {
  ASSAY_NEXT(
      "_ZN4absl7debian35Mutex16AwaitWithTimeoutERKNS0_9ConditionENS0_"
      "8DurationE",
      bool(Mutex*, const Condition&, Duration));
  return Wait(this, [&] { return next(this, condition, timeout); });
}

bool Mutex::AwaitWithDeadline(const Condition& condition, Time deadline) {
  ASSAY_NEXT(
      "_ZN4absl7debian35Mutex17AwaitWithDeadlineERKNS0_9ConditionENS0_4TimeE",
      bool(Mutex*, const Condition&, Time));
  return Wait(this, [&] { return next(this, condition, deadline); });
}

void Mutex::LockWhen(const Condition& condition) {
  ASSAY_NEXT("_ZN4absl7debian35Mutex8LockWhenERKNS0_9ConditionE",
             void(Mutex*, const Condition&));
  Acquire(this, 0, [&] { next(this, condition); });
}

bool Mutex::LockWhenWithTimeout(const Condition& condition, Duration timeout) {
  ASSAY_NEXT(
      "_ZN4absl7debian35Mutex19LockWhenWithTimeoutERKNS0_9ConditionENS0_"
      "8DurationE",
      bool(Mutex*, const Condition&, Duration));
  return Acquire(this, 0, [&] { return next(this, condition, timeout); });
}

bool Mutex::LockWhenWithDeadline(const Condition& condition, Time deadline) {
  ASSAY_NEXT(
      "_ZN4absl7debian35Mutex20LockWhenWithDeadlineERKNS0_9ConditionENS0_"
      "4TimeE",
      bool(Mutex*, const Condition&, Time));
  return Acquire(this, 0, [&] { return next(this, condition, deadline); });
}

void Mutex::ReaderLockWhen(const Condition& condition) {
  ASSAY_NEXT("_ZN4absl7debian35Mutex14ReaderLockWhenERKNS0_9ConditionE",
             void(Mutex*, const Condition&));
  Acquire(this, __tsan_mutex_read_lock, [&] { next(this, condition); });
}

void CondVar::Wait(Mutex* mutex) {
  ASSAY_NEXT("_ZN4absl7debian37CondVar4WaitEPNS0_5MutexE",
             void(CondVar*, Mutex*));
  ::Wait(mutex, [&] { next(this, mutex); });
}

bool CondVar::WaitWithTimeout(Mutex* mutex, Duration timeout) {
  ASSAY_NEXT(
      "_ZN4absl7debian37CondVar15WaitWithTimeoutEPNS0_5MutexENS0_8DurationE",
      bool(CondVar*, Mutex*, Duration));
  return ::Wait(mutex, [&] { return next(this, mutex, timeout); });
}

bool CondVar::WaitWithDeadline(Mutex* mutex, Time deadline) {
  ASSAY_NEXT(
      "_ZN4absl7debian37CondVar16WaitWithDeadlineEPNS0_5MutexENS0_4TimeE",
      bool(CondVar*, Mutex*, Time));
  return ::Wait(mutex, [&] { return next(this, mutex, deadline); });
}

void Notification::Notify() {
  ASSAY_NEXT("_ZN4absl7debian312Notification6NotifyEv", void(Notification*));
  Released(this);
  next(this);
}

void Notification::WaitForNotification() const {
  ASSAY_NEXT("_ZNK4absl7debian312Notification19WaitForNotificationEv",
             void(const Notification*));
  next(this);
  Acquired(this);
}

bool Notification::WaitForNotificationWithTimeout(Duration timeout) const {
  ASSAY_NEXT(
      "_ZNK4absl7debian312Notification30WaitForNotificationWithTimeoutENS0_"
      "8DurationE",
      bool(const Notification*, Duration));
  const bool notified = next(this, timeout);
  if (notified) Acquired(this);
  return notified;
}

bool Notification::WaitForNotificationWithDeadline(Time deadline) const {
  ASSAY_NEXT(
      "_ZNK4absl7debian312Notification31WaitForNotificationWithDeadlineENS0_"
      "4TimeE",
      bool(const Notification*, Time));
  const bool notified = next(this, deadline);
  if (notified) Acquired(this);
  return notified;
}

}  // namespace debian3
}  // namespace absl
