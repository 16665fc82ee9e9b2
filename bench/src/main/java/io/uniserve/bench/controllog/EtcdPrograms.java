package io.uniserve.bench.controllog;

import io.uniserve.bench.base.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory of etcd and its load generator, which {@code bench/peers/etcd/install.sh} builds.
 */
record EtcdPrograms(Path directory) {
  private static final String VARIABLE = "UNISERVE_ETCD";

  static EtcdPrograms find(Path projectRoot) {
    EtcdPrograms programs = new EtcdPrograms(environment());
    for (Path program : new Path[] {programs.server(), programs.load()}) {
      if (!Files.isExecutable(program)) {
        throw new BenchException(
            "etcd is not installed: there is no %s. Run %s, name its folder with %s, or leave --etcd out"
                .formatted(program, projectRoot.resolve("bench/peers/etcd/install.sh"), VARIABLE));
      }
    }
    return programs;
  }

  private static Path environment() {
    String told = System.getenv(VARIABLE);
    if (told != null) {
      return Path.of(told);
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    Path parent =
        cache == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(cache);
    return parent.resolve("uniserve/etcd");
  }

  Path server() {
    return directory.resolve("etcd");
  }

  Path load() {
    return directory.resolve("benchmark");
  }
}
