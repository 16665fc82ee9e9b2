package io.uniserve.node.processes;

import io.uniserve.node.remote.RemoteCluster;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * Makes processes start with less work: an archive of the classes that a small cluster has loaded
 * and linked (the ahead-of-time cache of JEP 483 and 514). It is made once, by a cluster in one
 * process, and holds for a class path of jars only. A JVM that finds it stale ignores it.
 */
final class LoadedBefore {
  private static final Path DIRECTORY = Path.of("target", "loaded-before").toAbsolutePath();
  private static final Path ARCHIVE = DIRECTORY.resolve("classes.aot");
  private static final LoadedBefore ONCE = new LoadedBefore();

  private final String classPath;

  private LoadedBefore() {
    try {
      Files.createDirectories(DIRECTORY);
      classPath = prepared();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of several JVMs that run tests at once one makes it, and the others wait. */
  private static String prepared() throws IOException {
    try (FileChannel turn =
        FileChannel.open(
            DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      turn.lock(); // until it is closed
      List<Path> entries = new ArrayList<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
        Path path = Path.of(entry);
        if (Files.isDirectory(path)) {
          entries.add(jar(path, DIRECTORY.resolve("directory-" + entries.size() + ".jar")));
        } else if (Files.exists(path)) {
          entries.add(path);
        }
      }
      String classPath =
          String.join(File.pathSeparator, entries.stream().map(Path::toString).toList());
      if (isStale(entries)) {
        make(classPath);
      }
      return classPath;
    }
  }

  /** The class path of the tests, in jars. */
  static String classPath() {
    return ONCE.classPath;
  }

  /**
   * What a JVM is told, so that it uses the archive, and at the addresses that are written in it;
   * nothing if it could not be made.
   */
  static List<String> flags() {
    return Files.exists(ARCHIVE)
        ? List.of(
            "-XX:AOTCache=" + ARCHIVE,
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:ArchiveRelocationMode=0")
        : List.of();
  }

  private static boolean isStale(List<Path> entries) throws IOException {
    return !Files.exists(ARCHIVE) || newest(entries.stream()).compareTo(modified(ARCHIVE)) > 0;
  }

  private static FileTime newest(Stream<Path> files) {
    return files.map(LoadedBefore::modified).max(FileTime::compareTo).orElseThrow();
  }

  private static FileTime modified(Path file) {
    try {
      return Files.getLastModifiedTime(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A jar of a directory, unless that is the one made of it before. */
  private static Path jar(Path directory, Path jar) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      List<Path> entries = all.toList();
      // A file that is deleted changes the directory alone.
      if (Files.exists(jar) && newest(entries.stream()).compareTo(modified(jar)) < 0) {
        return jar;
      }
      Path made = jar.resolveSibling(jar.getFileName() + ".new");
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(made))) {
        for (Path file : entries.stream().filter(Files::isRegularFile).toList()) {
          String name = directory.relativize(file).toString().replace(File.separatorChar, '/');
          out.putNextEntry(new ZipEntry(name));
          Files.copy(file, out);
        }
      }
      return Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Has a process of all roles, with another server beside it to talk to, do a little of
   * everything, and keep what it loaded.
   */
  private static void make(String classPath) throws IOException {
    Path data = Files.createTempDirectory("loaded-before");
    int http = Jvm.freePort();
    String router = "127.0.0.1:" + Jvm.freePort();
    Path all =
        config(
            data,
            "s1",
            List.of(
                "roles = router, server, gateway",
                "router = " + router,
                "router.listen = " + router,
                "gateway.listen = 127.0.0.1:" + http));
    Path peer = config(data, "s2", List.of("roles = server", "router = " + router));
    Process process = start(List.of("-XX:AOTCacheOutput=" + ARCHIVE), classPath, all);
    try (RemoteCluster remote = new RemoteCluster("http://127.0.0.1:" + http)) {
      Process other = start(List.of(), classPath, peer);
      try {
        use(remote);
      } finally {
        // First, so that the other is still there for what a process does when it ends.
        process.destroy();
        process.onExit().join();
        other.destroy();
        other.onExit().join();
      }
    }
  }

  private static Path config(Path data, String server, List<String> roles) throws IOException {
    List<String> lines = new ArrayList<>(roles);
    lines.add("server.name = " + server);
    lines.add("server.listen = 127.0.0.1:" + Jvm.freePort());
    lines.add("directory = " + data.resolve(server));
    lines.add("store = " + data.resolve("store").toUri());
    return Files.write(data.resolve(server + ".conf"), lines);
  }

  private static Process start(List<String> flags, String classPath, Path config)
      throws IOException {
    return Jvm.command(flags, classPath, List.of("node", "--config", config.toString()))
        .redirectErrorStream(true)
        .redirectOutput(DIRECTORY.resolve(config.getFileName() + ".log").toFile())
        .start();
  }

  private static void use(RemoteCluster remote) throws IOException {
    Waiting.forAnswer("a server", () -> remote.get("/api/cluster"));
    Map<String, Object> table =
        Map.of("name", "notes", "engine", "notes", "actors", 2L, "replicas", 2L);
    Waiting.forTable(remote, table);
    remote.postRecords(
        "/api/tables/notes/records?acknowledge=all",
        StandardCharsets.UTF_8.encode("{\"id\":\"a\",\"text\":\"text\"}\n"),
        "first");
    remote.get("/api/tables/notes/query?q=text");
  }
}
