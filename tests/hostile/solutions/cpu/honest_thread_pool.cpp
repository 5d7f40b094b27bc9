// Honest: a pool of sleeping threads, kept, and joined in each call.
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "operators.h"

namespace {

class Pool {
 public:
  Pool() {
    for (int i = 0; i < 2; ++i) std::thread([this, i] { Serve(i); }).detach();
  }
  void Run(const std::function<void(int)>& work) {
    std::unique_lock<std::mutex> lock(mutex_);
    work_ = &work;
    left_ = 2;
    ++round_;
    begin_.notify_all();
    end_.wait(lock, [this] { return left_ == 0; });
  }

 private:
  void Serve(int index) {
    int served = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      begin_.wait(lock, [&] { return round_ != served; });
      served = round_;
      const std::function<void(int)>& work = *work_;
      lock.unlock();
      work(index);
      lock.lock();
      if (--left_ == 0) end_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(int)>* work_ = nullptr;
  int left_ = 0;
  int round_ = 0;
};

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  static Pool* const pool = new Pool;
  const int64_t half = Rows(x) / 2;
  pool->Run([&](int index) {
    const int64_t begin = index * half;
    LogSoftmaxRows(In(x) + begin * Columns(x), Out(y) + begin * Columns(x),
                   index == 0 ? half : Rows(x) - half, Columns(x));
  });
  return 0;
}
