// What ThreadSanitizer does unless TSAN_OPTIONS says otherwise.

extern "C" {

const char* __tsan_default_options() {
  return "second_deadlock_stack=1:history_size=4";
}

}  // extern "C"
