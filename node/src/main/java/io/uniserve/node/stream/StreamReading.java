package io.uniserve.node.stream;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.stream.StreamRunner;
import io.uniserve.runtime.client.stream.StreamSettings;
import io.uniserve.runtime.client.stream.StreamSourceKind;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.BiFunction;

/**
 * A process's reading of streams.
 *
 * @param settings the sources and formats that it knows
 * @param runner the runner; empty if the process reads none
 */
public record StreamReading(StreamSettings settings, Optional<StreamRunner> runner)
    implements AutoCloseable {
  /** The environment variable that names a file of settings for sources, which has the secrets. */
  public static final String PROPERTIES = "UNISERVE_STREAM_PROPERTIES";

  private static final List<String> PREFIXES = List.of("security.", "sasl.", "ssl.");

  /** The reading of a process that knows no source. */
  public static final StreamReading NONE =
      new StreamReading(new StreamSettings(Map.of(), Map.of(), Map.of()), Optional.empty());

  /**
   * Begins to read the streams of a cluster.
   *
   * @param client makes a runner of settings and the process's name
   * @param kinds the kinds of sources
   * @param process a name of the process, for people
   * @throws UniserveException if the file of settings has something else
   */
  public static StreamReading start(
      BiFunction<StreamSettings, String, StreamRunner> client,
      List<StreamSourceKind> kinds,
      String process) {
    Map<String, StreamSourceKind> byName = new TreeMap<>();
    kinds.forEach(kind -> byName.put(kind.name(), kind));
    StreamSettings settings =
        new StreamSettings(
            byName,
            Map.of(JsonRow.NAME, new JsonRow()),
            properties(Optional.ofNullable(System.getenv(PROPERTIES)).map(Path::of)));
    return new StreamReading(settings, Optional.of(client.apply(settings, process)));
  }

  static Map<String, String> properties(Optional<Path> file) {
    Map<String, String> given = new TreeMap<>();
    if (file.isPresent()) {
      Properties read = new Properties();
      try (Reader reader = Files.newBufferedReader(file.get())) {
        read.load(reader);
      } catch (IOException | IllegalArgumentException e) {
        throw UniserveException.invalid(
            PROPERTIES + ": " + file.get() + " cannot be read: " + e.getClass().getSimpleName());
      }
      for (String key : read.stringPropertyNames()) {
        if (PREFIXES.stream().noneMatch(key::startsWith)) {
          throw UniserveException.invalid(
              PROPERTIES
                  + ": settings begin with security., sasl. or ssl., not as '"
                  + Excerpt.of(key)
                  + "' does");
        }
        given.put(key, read.getProperty(key));
      }
    }
    return Collections.unmodifiableMap(given);
  }

  /**
   * Requires that this process could read a stream.
   *
   * @throws UniserveException naming what is wrong
   */
  public void requireReadable(StreamDefinition definition) {
    StreamSourceKind kind = settings.kinds().get(definition.source());
    if (kind == null) {
      throw UniserveException.invalid(
          "source: must be one of "
              + settings.kinds().keySet()
              + ", not '"
              + Excerpt.of(definition.source())
              + "'");
    }
    if (!settings.formats().containsKey(definition.format())) {
      throw UniserveException.invalid(
          "format: must be one of "
              + settings.formats().keySet()
              + ", not '"
              + Excerpt.of(definition.format())
              + "'");
    }
    kind.validate(definition);
  }

  @Override
  public void close() {
    runner.ifPresent(StreamRunner::close);
  }
}
