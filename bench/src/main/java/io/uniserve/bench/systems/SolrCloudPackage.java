package io.uniserve.bench.systems;

import io.uniserve.bench.base.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The software from which SolrCloud is started. Its jars are not part of the project's build: Maven
 * fetches them when the benchmark first needs them.
 *
 * @param folder the folder of its Maven project
 * @param java a Java 17
 */
public record SolrCloudPackage(Path folder, Path java) {

  public static final String JAVA_VARIABLE = "UNISERVE_JAVA17_HOME";

  private static final Path INSTALLED = Path.of("/usr/lib/jvm");

  /**
   * @param javaHome the home of a Java 17; if empty, the method searches the machine's installed
   *     ones
   */
  public static SolrCloudPackage prepare(Path projectRoot, Optional<Path> javaHome) {
    Path folder = projectRoot.resolve("bench/peers/solrcloud").toAbsolutePath().normalize();
    Path home = javaHome.or(SolrCloudPackage::installedJava).orElseThrow(SolrCloudPackage::noJava);
    Path java = home.resolve("bin/java");
    if (!Files.isExecutable(java)) {
      throw new BenchException("No program " + java + " to run SolrCloud with");
    }
    SolrCloudPackage solr = new SolrCloudPackage(folder, java);
    solr.build();
    return solr;
  }

  String classPath() {
    return folder.resolve("target/classes") + ":" + folder.resolve("target/lib/*");
  }

  Path configuration() {
    return folder.resolve("conf");
  }

  private void build() {
    if (Files.isDirectory(folder.resolve("target/lib"))) {
      return;
    }
    List<String> command =
        List.of("mvn", "-q", "-B", "-f", folder.resolve("pom.xml").toString(), "package");
    try {
      if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
        throw new BenchException("Maven cannot package SolrCloud: " + String.join(" ", command));
      }
    } catch (IOException e) {
      throw new BenchException("Cannot run Maven to package SolrCloud: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchException("Interrupted while Maven packaged SolrCloud", e);
    }
  }

  private static Optional<Path> installedJava() {
    if (!Files.isDirectory(INSTALLED)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(INSTALLED)) {
      return homes
          .filter(home -> home.getFileName().toString().contains("17"))
          .filter(home -> Files.isExecutable(home.resolve("bin/java")))
          .sorted()
          .findFirst();
    } catch (IOException e) {
      throw new BenchException("Cannot list " + INSTALLED, e);
    }
  }

  private static BenchException noJava() {
    return new BenchException(
        "SolrCloud 9 runs on Java 17, and none is in %s; set %s"
            .formatted(INSTALLED, JAVA_VARIABLE));
  }
}
