# Functions for programs that run on machines other than the one that built
# them. Read by package.sh.

# What every Linux with glibc has.
portable_glibc=2.36
portable_libraries='libc\.so\.6|libm\.so\.6|ld-linux-x86-64\.so\.2|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1'
# What a Python with torch has beside that, and every machine with a C++
# compiler; for the libraries that those load. Their versions in GCC 12.
portable_glibcxx=3.4.30
portable_cxx_libraries='libstdc\+\+\.so\.6|libgcc_s\.so\.1'

# portable_files ROOT: the programs and shared libraries below it.
portable_files() {
  find "$1" -type f -size +3c | LC_ALL=C sort | while read -r file; do
    [[ $(head -c 4 "$file" | tr -d '\0') == $'\x7fELF' ]] && echo "$file"
  done
  true
}

# bring_libraries FILE FOLDER RUNPATH: copies the libraries that FILE loads into
# FOLDER, and makes FILE find them there (RUNPATH is that folder, as seen from
# FILE), and them each other.
bring_libraries() {
  local file=$1 folder=$2 runpath=$3 library path
  mkdir -p "$folder"
  ldd "$file" | awk '$2 == "=>" { print $1, $3 }' | while read -r library path; do
    [[ $library =~ ^($portable_libraries|$portable_cxx_libraries)$ ]] && continue
    install -m 755 "$path" "$folder/$library"
    patchelf --set-rpath '$ORIGIN' "$folder/$library"
  done
  chmod u+w "$file"
  patchelf --set-rpath "$runpath" "$file"
}

# newest_version FILE PREFIX: the highest PREFIX_x.y that FILE asks for.
newest_version() {
  objdump -T "$1" | grep -o "($2_[0-9.]*)" | tr -d "()" | sed "s/^$2_//" |
    sort -uV | tail -n 1
}

# not_later VERSION LIMIT
not_later() {
  [[ $(printf '%s\n' "$1" "$2" | sort -V | tail -n 1) == "$2" ]]
}

# check_portable ROOT: fails, and says what is wrong, unless everything below
# finds what it needs on any machine.
check_portable() {
  local root=$1 file needed allowed failed=0
  while read -r file; do
    allowed=$portable_libraries
    if [[ $file == *.so* ]]; then
      allowed+="|$portable_cxx_libraries"
    fi
    for needed in $(objdump -p "$file" | awk '$1 == "NEEDED" { print $2 }'); do
      [[ $needed =~ ^($allowed)$ ]] && continue
      finds "$file" "$needed" && continue
      echo "${file#"$root"/} needs $needed, which a machine may lack" >&2
      failed=1
    done
    if ! not_later "$(newest_version "$file" GLIBC)" $portable_glibc; then
      echo "${file#"$root"/} needs a glibc later than $portable_glibc" >&2
      failed=1
    fi
    if ! not_later "$(newest_version "$file" GLIBCXX)" $portable_glibcxx; then
      echo "${file#"$root"/} needs a libstdc++ later than GCC 12's" >&2
      failed=1
    fi
  done < <(portable_files "$root")
  check_harness "$root" || failed=1
  return $failed
}

# finds FILE LIBRARY: whether it lies where FILE looks.
finds() {
  local runpath
  runpath=$(objdump -p "$1" | awk '$1 ~ /^R(UN)?PATH$/ { print $2 }')
  [[ $runpath == '$ORIGIN'* ]] &&
    [[ -f $(dirname "$1")${runpath#'$ORIGIN'}/$2 ]]
}

# The harness shares a process with torch and the solution: it may show them
# nothing but its own interface.
check_harness() {
  local exported
  exported=$(objdump -T "$1/libexec/assay/libassay_harness.so" |
    awk '$2 ~ /^[gw]/ && !/\*UND\*/ && $NF !~ /^assay_/ { print $NF }')
  [[ -z $exported ]] && return
  echo "libexec/assay/libassay_harness.so exports what is not its interface:" >&2
  echo "$exported" >&2
  return 1
}
