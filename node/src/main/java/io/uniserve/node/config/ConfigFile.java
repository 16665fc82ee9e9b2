package io.uniserve.node.config;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.text.NearestName;
import io.uniserve.node.text.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of lines {@code key = value}. Empty lines and lines that begin with {@code #} are ignored.
 * Values are taken as they stand, without quotes or escapes.
 */
final class ConfigFile {
  private static final long BYTES_MAX = 1 << 20;

  /**
   * A line.
   *
   * @param given the key as the file has it, which may be a former name
   * @param line the number of the line, from 1
   */
  private record Entry(String given, String value, int line) {}

  private final Path file;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final FormerNames former = new FormerNames();

  private ConfigFile(Path file) {
    this.file = file;
  }

  /**
   * Reads a file that may have these keys.
   *
   * @throws UniserveException naming the line of a key that is unknown, given twice, or has no
   *     value
   */
  static ConfigFile read(Path file, Collection<String> keys) {
    ConfigFile config = new ConfigFile(file);
    int number = 0;
    for (String line : lines(file)) {
      number++;
      String text = line.strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        config.add(text, number, keys);
      }
    }
    return config;
  }

  private static List<String> lines(Path file) {
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw new UniserveException(
            ErrorCode.TOO_LARGE, file + " is no configuration: it is larger than 1 MiB");
      }
      return TextFile.read(file).lines().toList();
    } catch (NoSuchFileException e) {
      throw new UniserveException(ErrorCode.NOT_FOUND, "there is no file " + file, e);
    } catch (IOException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "cannot read " + file + ": " + UniserveException.reason(e),
          e);
    }
  }

  private void add(String text, int line, Collection<String> keys) {
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw invalid(line, "a line must be 'key = value', not '" + text + "'");
    }
    String given = text.substring(0, equals).strip();
    String key = former.key(given, line);
    String value = text.substring(equals + 1).strip();
    if (!keys.contains(key)) {
      throw invalid(line, "unknown key '" + key + "'" + NearestName.hint(key, keys));
    }
    if (value.isEmpty()) {
      throw invalid(line, "'" + given + "' has no value");
    }
    Entry other = entries.put(key, new Entry(given, value, line));
    if (other != null) {
      throw invalid(line, "'" + given + "' is given already in line " + other.line());
    }
  }

  Optional<String> get(String key) {
    return Optional.ofNullable(entries.get(key)).map(Entry::value);
  }

  /** Returns a value that must be present, for a reason. */
  String require(String key, String reason) {
    return get(key)
        .orElseThrow(
            () -> UniserveException.invalid(file + ": '" + key + "' is missing; " + reason));
  }

  /** Returns the present name of a role that the value of this key names. */
  String role(String key, String given) {
    return former.role(given, entries.get(key).line());
  }

  /** Warns of the former names that were met so far, if there are any. */
  void warnOfFormerNames() {
    former.warn(file);
  }

  /** Returns an error about a key of the file. */
  UniserveException invalid(String key, String problem) {
    Entry entry = entries.get(key);
    return invalid(entry.line(), "'" + entry.given() + "' " + problem);
  }

  private UniserveException invalid(int line, String problem) {
    return UniserveException.invalid(file + ", line " + line + ": " + problem);
  }
}
