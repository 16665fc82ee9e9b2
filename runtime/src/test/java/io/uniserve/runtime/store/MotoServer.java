package io.uniserve.runtime.store;

import io.uniserve.testkit.tools.Tools;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.s3.S3Client;

/** An S3 server in a process of its own, for as long as the tests that use it. */
final class MotoServer implements AutoCloseable {
  private static final Pattern RUNNING = Pattern.compile("Running on (http://[0-9.:]+)");
  private static final S3Credentials CREDENTIALS =
      new S3Credentials("tester", "not-a-secret", Optional.empty());

  private final Process process;
  private final URI endpoint;

  private MotoServer(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  static MotoServer start() throws IOException {
    Process process =
        new ProcessBuilder(
                Tools.python("moto.server"),
                "-u",
                program().toString(),
                "-H",
                "127.0.0.1",
                "-p",
                "0")
            .redirectErrorStream(true)
            .start();
    BufferedReader output = process.inputReader();
    List<String> said = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      said.add(line);
      Matcher running = RUNNING.matcher(line);
      if (running.find()) {
        Thread.ofVirtual().start(() -> drain(output));
        return new MotoServer(process, URI.create(running.group(1)));
      }
    }
    throw new IllegalStateException("moto does not start: " + said);
  }

  /** A process whose output nobody reads stops when the pipe is full. */
  private static void drain(BufferedReader output) {
    try (output) {
      output.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // The server has been ended, and its pipe with it.
      Thread.currentThread().interrupt();
    }
  }

  private static Path program() {
    try {
      return Path.of(MotoServer.class.getResource("moto_one_at_a_time.py").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Settings for a bucket. */
  S3Settings settings(String bucket, String prefix) {
    return S3Settings.of(bucket, prefix, "us-east-1")
        .withEndpoint(endpoint, true)
        .withCredentials(Optional.of(CREDENTIALS));
  }

  /** The library's own client. */
  S3Client client() {
    return S3Clients.open(settings("any", ""));
  }

  URI endpoint() {
    return endpoint;
  }

  static S3Credentials credentials() {
    return CREDENTIALS;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
