package io.uniserve.gateways.druid.tasks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.olap.druid.Druid;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.druid.data.input.ColumnsFilter;
import org.apache.druid.data.input.InputRow;
import org.apache.druid.data.input.InputRowSchema;
import org.apache.druid.data.input.InputSource;
import org.apache.druid.data.input.ListBasedInputRow;
import org.apache.druid.data.input.MapBasedInputRow;
import org.apache.druid.data.input.impl.InlineInputSource;
import org.apache.druid.data.input.impl.LocalInputSource;
import org.apache.druid.data.input.impl.systemfield.SystemFields;
import org.apache.druid.java.util.common.parsers.CloseableIterator;
import org.apache.druid.query.aggregation.AggregatorFactory;
import org.apache.druid.segment.indexing.DataSchema;

/** The rows of a task, which can be read more than once. What http gives is kept until the end. */
final class TaskInput implements AutoCloseable {
  private static final long BYTES_MAX = 4L << 30;
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  /** The parts of an input over http that are understood. */
  private static final Set<String> HTTP_PARTS = Set.of("type", "uris");

  private final IndexTask task;
  private final Path temporary;
  private final InputSource source;

  private TaskInput(IndexTask task, AllowedInputs allowed) throws IOException {
    this.task = task;
    temporary = Files.createTempDirectory("uniserve-task");
    try {
      source = source(task.source(), allowed);
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Opens the input of a task.
   *
   * @throws UniserveException if it is of another type, or may not be read
   */
  static TaskInput open(IndexTask task, AllowedInputs allowed) throws IOException {
    return new TaskInput(task, allowed);
  }

  private InputSource source(JsonNode asked, AllowedInputs allowed) throws IOException {
    String type = asked.path("type").asText();
    return switch (type) {
      case "inline" -> parsed(asked, InlineInputSource.class);
      case "local" -> local(parsed(asked, LocalInputSource.class), allowed);
      case "http" -> http(asked, allowed);
      default ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED,
              "an inputSource of type '" + Excerpt.of(type) + "' is not supported");
    };
  }

  private static <T> T parsed(JsonNode asked, Class<T> kind) {
    try {
      return Druid.get().json().treeToValue(asked, kind);
    } catch (JsonProcessingException e) {
      throw UniserveException.invalid("the inputSource is wrong: " + e.getOriginalMessage());
    }
  }

  private LocalInputSource local(LocalInputSource asked, AllowedInputs allowed) {
    if (asked.getBaseDir() != null) {
      allowed.require(asked.getBaseDir().toPath());
    }
    List<File> files = new ArrayList<>();
    asked.createSplits(task.format(), null).forEach(split -> files.addAll(split.get()));
    if (files.isEmpty()) {
      throw UniserveException.invalid("the inputSource names no files");
    }
    files.forEach(file -> allowed.require(file.toPath()));
    return new LocalInputSource(null, null, files, SystemFields.none());
  }

  /** Fetches what an input names. Redirects are not followed: they could lead to other hosts. */
  private LocalInputSource http(JsonNode asked, AllowedInputs allowed) throws IOException {
    asked
        .fieldNames()
        .forEachRemaining(
            part -> {
              if (!HTTP_PARTS.contains(part)) {
                throw new UniserveException(
                    ErrorCode.UNSUPPORTED,
                    "the part '"
                        + Excerpt.of(part)
                        + "' of an inputSource of type 'http' is not supported");
              }
            });
    List<URI> addresses = new ArrayList<>();
    for (JsonNode each : asked.path("uris")) {
      try {
        addresses.add(URI.create(each.asText()));
      } catch (IllegalArgumentException e) {
        throw UniserveException.invalid("'" + Excerpt.of(each.asText()) + "' is no address");
      }
    }
    addresses.forEach(allowed::require);
    List<File> files = new ArrayList<>();
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (URI address : addresses) {
        files.add(fetched(client, address, files.size()).toFile());
      }
    }
    if (files.isEmpty()) {
      throw UniserveException.invalid("the inputSource names no uris");
    }
    return new LocalInputSource(null, null, files, SystemFields.none());
  }

  private Path fetched(HttpClient client, URI address, int number) throws IOException {
    HttpRequest request = HttpRequest.newBuilder(address).timeout(TIMEOUT).build();
    String path = String.valueOf(address.getPath());
    // The name's ending says how the file is compressed.
    Path file = temporary.resolve(number + "-" + path.substring(path.lastIndexOf('/') + 1));
    try {
      HttpResponse<InputStream> response =
          client.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        if (response.statusCode() != 200) {
          throw UniserveException.invalid(
              "'" + Excerpt.of(address) + "' answers with status " + response.statusCode());
        }
        Bounded.copy(body, file, BYTES_MAX);
      }
      return file;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "the task was interrupted", e);
    } catch (IOException e) {
      throw UniserveException.invalid(
          "'" + Excerpt.of(address) + "' cannot be read: " + e.getMessage());
    }
  }

  /** The copying of a stream that may not be longer than allowed. */
  private static final class Bounded {
    private Bounded() {}

    static void copy(InputStream from, Path to, long most) throws IOException {
      byte[] buffer = new byte[1 << 16];
      long total = 0;
      try (var out = Files.newOutputStream(to)) {
        for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
          total += read;
          if (total > most) {
            throw new UniserveException(
                ErrorCode.TOO_LARGE, "an input has more than " + most + " bytes");
          }
          out.write(buffer, 0, read);
        }
      }
    }
  }

  /** Reads all rows, in their order. */
  void forEach(DataSchema schema, Consumer<Map<String, Object>> rows) throws IOException {
    InputRowSchema columns =
        new InputRowSchema(
            schema.getTimestampSpec(), schema.getDimensionsSpec(), ColumnsFilter.all());
    Set<String> named = named(schema);
    try (CloseableIterator<InputRow> read =
        source.reader(columns, task.format(), temporary.toFile()).read()) {
      while (read.hasNext()) {
        rows.accept(values(read.next(), named));
      }
    }
  }

  /** Returns the fields that the schema names. */
  private static Set<String> named(DataSchema schema) {
    Set<String> named = new HashSet<>(schema.getDimensionsSpec().getDimensionNames());
    for (AggregatorFactory metric : schema.getAggregators()) {
      named.addAll(metric.requiredFields());
    }
    named.addAll(schema.getTransformSpec().getRequiredColumns());
    return named;
  }

  /**
   * Returns the values of a row. Druid lists those fields of a row that are no objects, and gives
   * others only to whoever asks for them by name.
   */
  private static Map<String, Object> values(InputRow row, Set<String> named) {
    return switch (row) {
      case MapBasedInputRow map -> {
        Map<String, Object> values = new LinkedHashMap<>(map.getEvent());
        named.forEach(name -> values.computeIfAbsent(name, map.getEvent()::get));
        yield values;
      }
      case ListBasedInputRow list -> list.asMap();
      default ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED, "the inputFormat gives rows of a form that is not supported");
    };
  }

  @Override
  public void close() throws IOException {
    try (Stream<Path> all = Files.walk(temporary)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
