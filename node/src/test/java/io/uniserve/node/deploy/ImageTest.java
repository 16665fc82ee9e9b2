package io.uniserve.node.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.uniserve.node.embedded.EmbeddedCluster;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.NotesEngine;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command of the image, and the requests of probes. */
@Timeout(120)
class ImageTest {
  @TempDir private Path directory;

  /** Runs the image's command with a Java that records its arguments. */
  private String run(String config, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path java = directory.resolve("bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\necho \"$@\"\nfor last; do :; done\ncat \"$last\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Path file = Files.writeString(directory.resolve("node.conf.in"), config);
    ProcessBuilder process =
        new ProcessBuilder(Chart.DEPLOY.resolve("docker/entrypoint.sh").toString(), file.toString())
            .redirectErrorStream(true);
    process.environment().put("PATH", java.getParent() + ":" + process.environment().get("PATH"));
    process.environment().put("TMPDIR", directory.toString());
    process.environment().putAll(environment);
    Process started = process.start();
    String output = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return started.waitFor() + "\n" + output;
  }

  @Test
  void aPodGetsAConfigurationOfItsOwn() throws Exception {
    String told =
        run(
            "server.name = {name}\ncontroller = r.{namespace}.svc:7100\n",
            Map.of("POD_NAME", "u-server-3", "POD_NAMESPACE", "search", "UNISERVE_OPTS", "-Xmx2g"));
    assertThat(told)
        .startsWith("0\n")
        .contains("server.name = u-server-3\n", "controller = r.search.svc:7100\n")
        .contains("-Xmx2g", "io.uniserve.node.Uniserve node --config", "-Duniserve.home=");
  }

  @Test
  void theJvmGetsTheFlagsThatTheProgramNeeds() throws Exception {
    String toolchain = Files.readString(Chart.DEPLOY.resolveSibling("build-tools/toolchain.sh"));
    String told = run("server.name = {name}\n", Map.of());
    toolchain
        .lines()
        .map(String::strip)
        .filter(line -> line.startsWith("--") || line.startsWith("-D"))
        .forEach(flag -> assertThat(told).contains(flag));
  }

  @Test
  void whatIsOnlyAControllerHasTheCollectorOfSmallHeaps() throws Exception {
    assertThat(run("roles = controller\n", Map.of())).contains("-XX:+UseParallelGC ");
    assertThat(run("roles = router\n", Map.of())).contains("-XX:+UseParallelGC ");
    String others = flagsOfG1();
    assertThat(run("roles = controller, server\n", Map.of())).contains(others);
    assertThat(run("roles = server\ncontroller = r:7100\n", Map.of())).contains(others);
  }

  /** Returns the flags in the program's own script. */
  private static String flagsOfG1() throws IOException {
    String toolchain = Files.readString(Chart.DEPLOY.resolveSibling("build-tools/toolchain.sh"));
    Matcher flags = Pattern.compile("collector=\\((-XX:\\+UseG1GC .*)\\)").matcher(toolchain);
    assertThat(flags.find()).isTrue();
    return " " + flags.group(1) + " ";
  }

  @Test
  void aNameThatNobodyKnowsEndsTheProcess() throws Exception {
    String told =
        run(
            "server.listen = {name}.invalid:7101\n",
            Map.of("POD_NAME", "nobody", "NAME_TRIES_MAX", "1"));
    assertThat(told).startsWith("1\n").contains("nobody knows the name");
  }

  @Test
  void whatTheImageCopiesExists() throws IOException {
    List<String> copied =
        Files.readAllLines(Chart.DEPLOY.resolve("docker/Dockerfile")).stream()
            .filter(line -> line.startsWith("COPY "))
            .map(line -> line.split(" ")[1])
            .toList();
    assertThat(copied).contains("build/dist");
    assertThat(copied)
        .filteredOn(path -> !path.startsWith("build/"))
        .isNotEmpty()
        .allMatch(path -> Files.exists(Chart.DEPLOY.resolveSibling(path)));
  }

  /** Probes are also answered without a token, since a probe has none. */
  @Test
  void probesAreAnswered() throws Exception {
    String path =
        Chart.documents(Chart.render("uniserve", "uniserve")).stream()
            .filter(Deployment.class::isInstance)
            .map(Deployment.class::cast)
            .map(gateways -> gateways.getSpec().getTemplate().getSpec().getContainers().getFirst())
            .map(container -> container.getReadinessProbe().getHttpGet().getPath())
            .findFirst()
            .orElseThrow();
    try (EmbeddedCluster cluster = EmbeddedCluster.start(directory, 1, new NotesEngine());
        HttpService http =
            new HttpService(cluster.client(), List.of(), HttpSettings.on("127.0.0.1", 0));
        HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(http.url() + path)).build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).contains("\"ready\":true");
    }
  }
}
