#!/bin/sh
# Runs one process of a cluster. Its configuration is the file given, with {name} and {namespace} replaced by POD_NAME and
# POD_NAMESPACE. Waits until the names that it listens at are known, which takes a moment after a pod's start.
set -eu

config=$1
name=${POD_NAME:-$(hostname)}
namespace=${POD_NAMESPACE:-default}
home=${UNISERVE_HOME:-/opt/uniserve}
mine=${TMPDIR:-/tmp}/node.conf

sed -e "s/{name}/$name/g" -e "s/{namespace}/$namespace/g" "$config" >"$mine"

known() {
  for host in $(sed -n -E 's/^(server|controller|router)\.listen *= *(.*):[0-9]+$/\2/p' "$mine"); do
    getent hosts "$host" >/dev/null || return 1
  done
}

tries=0
until known; do
  tries=$((tries + 1))
  if [ "$tries" -gt "${NAME_TRIES_MAX:-60}" ]; then
    echo "uniserve: nobody knows the name that $mine listens at" >&2
    exit 1
  fi
  sleep 1
done

# As the program's own script does: see there.
collector="-XX:+UseG1GC -XX:-G1UseAdaptiveIHOP -XX:G1PeriodicGCInterval=60000"
if grep -Eq '^[[:space:]]*roles[[:space:]]*=[[:space:]]*(controller|router)[[:space:]]*$' "$mine"; then
  collector=-XX:+UseParallelGC
fi

# shellcheck disable=SC2086 # collector and UNISERVE_OPTS hold several words
exec java -Xss8m --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Dio.netty.leakDetection.level=disabled \
  --add-modules=jdk.incubator.vector --add-exports=java.base/sun.nio.ch=ALL-UNNAMED --add-opens=java.base/java.nio=ALL-UNNAMED \
  $collector -XX:+ExitOnOutOfMemoryError ${UNISERVE_OPTS:-} \
  "-Duniserve.home=$home" -cp "$home/lib/*" io.uniserve.node.Uniserve node --config "$mine"
