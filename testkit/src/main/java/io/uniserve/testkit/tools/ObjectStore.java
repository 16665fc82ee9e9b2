package io.uniserve.testkit.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An S3 server (moto) in its own process, which accepts any credentials. */
public final class ObjectStore implements AutoCloseable {
  private static final Pattern RUNNING = Pattern.compile("Running on (http://[0-9.:]+)");

  private final Process process;
  private final Path program;
  private final URI endpoint;

  private ObjectStore(Process process, Path program, URI endpoint) {
    this.process = process;
    this.program = program;
    this.endpoint = endpoint;
  }

  /** Starts a server; skips the test if there is no Python with moto. */
  public static ObjectStore start() throws IOException {
    String python = Tools.python("moto.server");
    Path program = program();
    Process process =
        new ProcessBuilder(python, "-u", program.toString(), "-H", "127.0.0.1", "-p", "0")
            .redirectErrorStream(true)
            .start();
    BufferedReader output = process.inputReader();
    List<String> said = new ArrayList<>();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      said.add(line);
      Matcher running = RUNNING.matcher(line);
      if (running.find()) {
        Thread.ofVirtual().start(() -> drain(output));
        return new ObjectStore(process, program, URI.create(running.group(1)));
      }
    }
    throw new IllegalStateException("moto does not start: " + said);
  }

  /** Reads the output of the process, which would stop when the pipe is full. */
  private static void drain(BufferedReader output) {
    try (output) {
      output.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // The server has ended, and its pipe with it.
      Thread.currentThread().interrupt();
    }
  }

  private static Path program() throws IOException {
    Path file = Files.createTempFile("moto", ".py");
    try (InputStream source = ObjectStore.class.getResourceAsStream("moto_one_at_a_time.py")) {
      Files.write(file, source.readAllBytes());
    }
    return file;
  }

  /** Returns the address at which it listens. */
  public URI endpoint() {
    return endpoint;
  }

  /** Makes a bucket. */
  public void makeBucket(String name) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(endpoint.resolve("/" + name))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status != 200) {
        throw new IOException("moto answers " + status + " to a new bucket");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    Files.delete(program);
  }
}
