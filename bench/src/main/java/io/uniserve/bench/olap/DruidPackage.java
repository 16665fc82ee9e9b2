package io.uniserve.bench.olap;

import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.base.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Druid 33.0.0. Its jars are not part of the project's build: Maven fetches them when the benchmark
 * first needs them.
 *
 * @param folder the folder of its Maven project
 * @param java a Java 17
 */
record DruidPackage(Path folder, Path java) {
  private static final Path INSTALLED = Path.of("/usr/lib/jvm");

  /** The parts of the JDK that Druid reaches into. */
  private static final List<String> OPENED =
      List.of(
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "-Duser.timezone=UTC",
          "-Dfile.encoding=UTF-8");

  /**
   * Finds a Java 17, and packages Druid unless that was done before.
   *
   * @throws BenchException naming what is missing
   */
  static DruidPackage prepare() {
    Path folder = ProjectRoot.find().resolve("bench/peers/druid").toAbsolutePath().normalize();
    DruidPackage druid = new DruidPackage(folder, java17());
    if (!Files.isDirectory(folder.resolve("target/lib"))) {
      druid.build();
    }
    return druid;
  }

  private static Path java17() {
    try (Stream<Path> homes = Files.list(INSTALLED)) {
      return homes
          .filter(home -> home.getFileName().toString().contains("17"))
          .map(home -> home.resolve("bin/java"))
          .filter(Files::isExecutable)
          .sorted()
          .findFirst()
          .orElseThrow(
              () -> new BenchException("Druid 33 runs on Java 17, and none is in " + INSTALLED));
    } catch (IOException e) {
      throw new BenchException("Cannot list " + INSTALLED, e);
    }
  }

  private void build() {
    List<String> command =
        List.of("mvn", "-q", "-B", "-f", folder.resolve("pom.xml").toString(), "package");
    try {
      if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
        throw new BenchException("Maven cannot package Druid: " + String.join(" ", command));
      }
    } catch (IOException e) {
      throw new BenchException("Cannot run Maven to package Druid: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while Maven packaged Druid", e);
    }
  }

  /**
   * Returns a command that starts a program of Druid.
   *
   * @param before a directory that comes first on the class path
   */
  List<String> command(Path before, String heap, String direct, List<String> programAndArguments) {
    List<String> command = new ArrayList<>(List.of(java.toString()));
    command.addAll(OPENED);
    command.addAll(List.of("-Xmx" + heap, "-XX:MaxDirectMemorySize=" + direct, "-cp"));
    command.add(
        before + ":" + folder.resolve("target/classes") + ":" + folder.resolve("target/lib/*"));
    command.addAll(programAndArguments);
    return command;
  }
}
