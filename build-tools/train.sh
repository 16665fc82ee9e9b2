#!/usr/bin/env bash
# Trains the program: runs it as users do, on the text of its documentation, so that the JVM keeps what it loaded and which methods
# are worth compiling. Called with the directory of the program and that of the caches by ./uniserve, which starts it with these.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
dist=$1
caches=$2
work=$caches.new

. "$root/build-tools/toolchain.sh"
require_jdk
unset UNISERVE_TOKEN_FILE

finish() {
  local running
  running=$(jobs -pr)
  # shellcheck disable=SC2086 # one word for each process; told to end, they would write their caches first
  [ -z "$running" ] || kill -9 $running
  wait
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 143' TERM

# Starts a command of the program, whose process is $! then.
launch() {
  jvm_options "$@"
  "$JAVA_HOME/bin/java" "${options[@]}" ${training[@]+"${training[@]}"} "-Duniserve.home=$dist" \
    -cp "$dist/lib/*" io.uniserve.node.Uniserve "$@" &
}

# Runs one on the cluster that was started.
run() {
  launch "$@" --url "$url"
  wait $!
}

# The lines of the documentation as records, over and over, until there are enough for what loads them to be compiled.
records() {
  awk -v wanted="$1" '
    length($0) > 40 {
      gsub(/[\\"\001-\037]/, " ")
      lines[++count] = $0
    }
    END {
      for (i = 1; i <= wanted; i++)
        printf "{\"id\": \"%d\", \"number\": %d, \"body\": \"%s\"}\n", i, i % 100, lines[i % count + 1]
    }' "$root"/README.md "$root"/docs/*.md "$root"/docs/adr/*.md
}

rm -rf "$work" "$caches"
mkdir -p "$work"
records 30000 >"$work/text.jsonl"

training=("-XX:AOTCacheOutput=$work/cluster.aot")
launch start --dir "$work/data" --http 0 >"$work/start.log"
cluster=$!
until url=$(sed -n 's/^Cluster of .*\(http.*\)$/\1/p' "$work/start.log") && [ -n "$url" ]; do
  kill -0 "$cluster"
  sleep 0.1
done

training=()
run table create text --actors 4 --schema \
  '{"defaultField": "body", "fields": {"number": {"type": "long"}, "body": {"type": "text"}}}'
training=("-XX:AOTCacheOutput=$work/command.aot")
run load text "$work/text.jsonl"
training=()
run query text 'copies of "an actor"'

kill "$cluster"
wait "$cluster" || true # it was told to end
for attempt in start load; do # a cache that does not fit would be ignored, here it is an error
  jvm_options "$attempt"
  training=("-XX:AOTCache=$work/$trained.aot" -XX:AOTMode=on)
  launch "$attempt" --help >/dev/null
  wait $!
done
mkdir "$caches"
mv "$work"/*.aot "$caches"
# What the JVM has kept names the jars where they are now: classes of a sealed one are refused anywhere else.
echo "$dist" >"$caches/home"
