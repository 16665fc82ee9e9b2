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
 * A way to start processes with less work: an archive of the classes that a small cluster has
 * loaded and linked (the ahead-of-time cache of JEP 483 and 514). It is made once, by a cluster in
 * one process, and is valid for a class path of jars only. A JVM that finds it outdated ignores it.
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

  /**
   * Prepares the archive and returns the class path. If several JVMs run tests at once, one
   * prepares it and the others wait.
   */
  private static String prepared() throws IOException {
    try (FileChannel turn =
        FileChannel.open(
            DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      turn.lock(); // the lock is held until the channel is closed
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

  /** Returns the class path of the tests, in jars. */
  static String classPath() {
    return ONCE.classPath;
  }

  /**
   * Returns the flags with which a JVM uses the archive at the addresses written in it; empty if
   * the archive could not be made.
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

  /** Returns a jar of a directory. An up-to-date jar is kept. */
  private static Path jar(Path directory, Path jar) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      List<Path> entries = all.toList();
      // The deletion of a file changes the directory alone.
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
   * Lets a process of all roles, with another server beside it, do a little of everything, and
   * archives the classes that it loaded.
   */
  private static void make(String classPath) throws IOException {
    Path data = Files.createTempDirectory("loaded-before");
    int http = Jvm.freePort();
    String controller = "127.0.0.1:" + Jvm.freePort();
    Path all =
        config(
            data,
            "s1",
            List.of(
                "roles = controller, server, gateway",
                "controller = " + controller,
                "controller.listen = " + controller,
                "gateway.listen = 127.0.0.1:" + http));
    Path peer = config(data, "s2", List.of("roles = server", "controller = " + controller));
    Process process = start(List.of("-XX:AOTCacheOutput=" + ARCHIVE), classPath, all);
    try (RemoteCluster remote = new RemoteCluster("http://127.0.0.1:" + http)) {
      Process other = start(List.of(), classPath, peer);
      try {
        use(remote);
      } finally {
        // This process ends first, while the other is still there to talk to.
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
