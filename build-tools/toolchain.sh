# Finds a JDK and Maven. Sourced by the project's scripts; sets JAVA_HOME, maven and the JVM flags.
# shellcheck shell=bash

# Without a locale Java takes arguments, names of files and what it prints for ASCII: a query for "café" would silently be another one.
# This locale is the same, with UTF-8.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
  C | POSIX) { export LC_ALL=C.UTF-8; } 2>/dev/null ;; # where it is unknown, the shell would say so
esac

java_needed=25
maven_needed=3.8

# What the libraries need from the JVM: always (Arrow also where a command reads a file of it), and where engines run. pom.xml holds
# the same for tests, but for what keeps Netty from looking for forgotten buffers, with stack traces of some of them: a test looks
# for those, among all of them. DuckDB goes down the trees of statements on the caller's stack, and where that ends, so does the
# process: it is as large as that of a main thread. Only what is used of it takes memory.
# shellcheck disable=SC2034 # used by the scripts that source this one
jvm_flags=(
  -Xss8m
  --enable-native-access=ALL-UNNAMED
  --sun-misc-unsafe-memory-access=allow
  --add-opens=java.base/java.nio=ALL-UNNAMED
  -Dio.netty.leakDetection.level=disabled
)
# shellcheck disable=SC2034
jvm_flags_engines=(
  --add-modules=jdk.incubator.vector
  --add-exports=java.base/sun.nio.ch=ALL-UNNAMED
)
# A simulation is one thread that leaves garbage: a serial collector with much room for the young needs a fifth of the CPU of G1.
# shellcheck disable=SC2034
jvm_flags_simulation=(--add-opens=java.base/java.lang=ALL-UNNAMED -Djdk.trackAllThreads=false -XX:+UseSerialGC -XX:NewRatio=1)

# Sets collector to the flags of the garbage collector of a cluster's process, given with its arguments.
#
# A process that is a controller and nothing else has a small heap. The parallel collector pauses it no longer than others would, and
# lets it do its work with less CPU. All others have G1 (docs/adr/0045).
choose_collector() {
  local argument
  collector=(-XX:+UseG1GC -XX:-G1UseAdaptiveIHOP -XX:G1PeriodicGCInterval=60000)
  for argument; do
    if [ -f "${argument#--config=}" ] && grep -Eq '^[[:space:]]*roles[[:space:]]*=[[:space:]]*(controller|router)[[:space:]]*$' "${argument#--config=}"; then
      collector=(-XX:+UseParallelGC)
    fi
  done
}

# Sets options to the flags of a command of the program, given with its arguments, and trained to the name of the cache that its
# training left (train.sh), which is nothing for what does not run often.
jvm_options() {
  options=("${jvm_flags[@]}")
  trained=
  case $1 in
    simulate) options+=("${jvm_flags_simulation[@]}") ;;
    figure) ;; # computes for minutes
    demo | start | node)
      choose_collector "$@"
      options+=("${jvm_flags_engines[@]}" "${collector[@]}" -XX:+ExitOnOutOfMemoryError)
      # Code runs faster once it is compiled, so what compiles, and with it the JVM's other threads, goes first. Whoever may not have that is warned.
      [ "$(id -u)" -ne 0 ] || options+=(-XX:ThreadPriorityPolicy=1)
      trained=cluster
      ;;
    *) # short-lived: a fast start counts
      options+=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1)
      trained=command
      ;;
  esac
}

# Becomes a JVM with engines. It says on standard error that it was given the module with the instructions for vectors, and warns of each
# short name of a time zone that a library looks up, which no flag silences: these lines are left out.
become_engines_jvm() {
  exec "$JAVA_HOME/bin/java" "$@" 2> >(without_jvm_warnings >&2)
}

without_jvm_warnings() {
  local line
  trap '' HUP INT TERM # what the program says when it is told to end is passed on, too
  while IFS= read -r line; do
    [ "$line" != "WARNING: Using incubator modules: jdk.incubator.vector" ] || exec grep --line-buffered -v '^WARNING: Use of the three-letter time zone ID'
    printf '%s\n' "$line"
  done
}

fail() {
  echo "uniserve: $*" >&2
  exit 1
}

# The major version of the JDK in a directory, from the file that every JDK since 8 carries; nothing if there is none.
jdk_version() {
  [ -x "$1/bin/javac" ] && [ -f "$1/release" ] || return 0
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

jdk_candidates() {
  local java
  echo "${JAVA_HOME:-}"
  java=$(command -v java || true)
  if [ -n "$java" ]; then
    java=$(readlink -f "$java" 2>/dev/null || echo "$java")
    dirname "$(dirname "$java")"
  fi
  if [ -x /usr/libexec/java_home ]; then
    /usr/libexec/java_home -v "$java_needed" 2>/dev/null || true
  fi
  ls -d /usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/java/* /opt/hostedtoolcache/Java_*/*/x64 \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home 2>/dev/null || true
}

require_jdk() {
  local home version
  while IFS= read -r home; do
    [ -n "$home" ] || continue
    version=$(jdk_version "$home")
    if [ -n "$version" ] && [ "$version" -eq "$java_needed" ]; then
      export JAVA_HOME=$home
      return
    fi
  done < <(jdk_candidates)
  fail "needs a JDK $java_needed and found none. Install one (for example from https://adoptium.net) or set JAVA_HOME to it."
}

require_maven() {
  local candidate version
  for candidate in "${MAVEN_HOME:-/nonexistent}/bin/mvn" "${M2_HOME:-/nonexistent}/bin/mvn" "$(command -v mvn || true)" \
    "$HOME/.sdkman/candidates/maven/current/bin/mvn" /opt/maven/bin/mvn; do
    [ -x "$candidate" ] || continue
    version=$("$candidate" --version 2>/dev/null | sed -n 's/.*Apache Maven \([0-9]*\.[0-9]*\).*/\1/p')
    if [ -n "$version" ] && at_least "$version" "$maven_needed"; then
      # shellcheck disable=SC2034
      maven=$candidate
      return
    fi
  done
  fail "needs Maven $maven_needed or newer and found none. Install it (https://maven.apache.org) or set MAVEN_HOME to it."
}

# Whether version $1, such as 3.10, is at least version $2, such as 3.8.
at_least() {
  [ "${1%%.*}" -gt "${2%%.*}" ] || { [ "${1%%.*}" -eq "${2%%.*}" ] && [ "${1#*.}" -ge "${2#*.}" ]; }
}
