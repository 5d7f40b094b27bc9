// Sends the calls that every loaded object makes to a function of a library
// elsewhere, by writing to the tables that those calls go through.

#ifndef ASSAY_TESTS_HOSTILE_PATCH_CALLS_H_
#define ASSAY_TESTS_HOSTILE_PATCH_CALLS_H_

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

struct CallPatch {
  const char* name;
  void* replacement;
  int patched;
};

inline void PatchTable(const ElfW(Rela) * table, size_t bytes,
                       const dl_phdr_info* info, const ElfW(Sym) * symbols,
                       const char* names, CallPatch* patch) {
  for (size_t i = 0; i < bytes / sizeof(*table); ++i) {
    const unsigned long type = ELF64_R_TYPE(table[i].r_info);
    if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
    const char* name = names + symbols[ELF64_R_SYM(table[i].r_info)].st_name;
    if (std::strcmp(name, patch->name) != 0) continue;
    void** slot = reinterpret_cast<void**>(info->dlpi_addr + table[i].r_offset);
    const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    void* start = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(slot) &
                                          ~(page - 1));
    if (mprotect(start, page, PROT_READ | PROT_WRITE) != 0) continue;
    *slot = patch->replacement;
    ++patch->patched;
  }
}

inline int PatchObject(dl_phdr_info* info, size_t, void* argument) {
  auto* patch = static_cast<CallPatch*>(argument);
  const ElfW(Dyn)* dynamic = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr +
                                                   info->dlpi_phdr[i].p_vaddr);
    }
  }
  // The kernel's own object is not relocated.
  if (dynamic == nullptr || std::strstr(info->dlpi_name, "vdso") != nullptr) {
    return 0;
  }
  const ElfW(Rela)* calls = nullptr, *data = nullptr;
  size_t call_bytes = 0, data_bytes = 0;
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  for (; dynamic->d_tag != DT_NULL; ++dynamic) {
    const auto at = dynamic->d_un.d_ptr;
    if (dynamic->d_tag == DT_JMPREL)
      calls = reinterpret_cast<const ElfW(Rela)*>(at);
    if (dynamic->d_tag == DT_PLTRELSZ) call_bytes = dynamic->d_un.d_val;
    if (dynamic->d_tag == DT_RELA)
      data = reinterpret_cast<const ElfW(Rela)*>(at);
    if (dynamic->d_tag == DT_RELASZ) data_bytes = dynamic->d_un.d_val;
    if (dynamic->d_tag == DT_SYMTAB)
      symbols = reinterpret_cast<const ElfW(Sym)*>(at);
    if (dynamic->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(at);
  }
  if (symbols == nullptr || names == nullptr) return 0;
  if (calls != nullptr)
    PatchTable(calls, call_bytes, info, symbols, names, patch);
  if (data != nullptr)
    PatchTable(data, data_bytes, info, symbols, names, patch);
  return 0;
}

// The number of places that were patched.
inline int PatchCalls(const char* name, void* replacement) {
  CallPatch patch = {name, replacement, 0};
  dl_iterate_phdr(&PatchObject, &patch);
  return patch.patched;
}

#endif  // ASSAY_TESTS_HOSTILE_PATCH_CALLS_H_
