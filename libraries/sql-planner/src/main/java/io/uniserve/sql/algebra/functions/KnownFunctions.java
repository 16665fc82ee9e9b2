package io.uniserve.sql.algebra.functions;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The functions of DuckDB by their names, and what the planner makes of each: the table {@code
 * functions.txt}.
 */
public final class KnownFunctions {
  private static final String TABLE = "functions.txt";
  private static final Map<String, Kind> KINDS = read();

  /** Kinds of functions; a name in the table stands for those that begin so, if a star ends it. */
  public enum Kind {
    /** What it gives follows from its arguments alone. */
    SCALAR,
    /** As {@link #SCALAR}, but DuckDB's grammar has it, not its list of functions. */
    GRAMMAR,
    /** It aggregates, and needs all rows of a group together. */
    AGGREGATE,
    /** As {@link #AGGREGATE}, but DuckDB's grammar has it, not its list of functions. */
    GRAMMAR_AGGREGATE,
    /** It aggregates what it gave of parts of a group. */
    AGGREGATE_AGAIN,
    /** It aggregates; what it gave of parts of a group is summed. */
    AGGREGATE_SUMMED,
    /** The planner knows it as an operator of Calcite's, which means the same. */
    PLANNER,
    /** It tells the time. */
    MOMENT,
    /** Refused: it gives something else each time. */
    RANDOM("gives something else each time"),
    /** Refused: it depends on the connection. */
    SESSION("depends on the connection, or does something besides"),
    /** Refused: it takes a function. */
    LAMBDA("takes a function"),
    /** Refused: it is of types that no statement names. */
    TYPES("is of types that do not go from place to place, or has arguments with names"),
    /** Refused: it is no function for people. */
    INTERNAL("is DuckDB's own");

    private final String refusal;

    Kind() {
      this("");
    }

    Kind(String refusal) {
      this.refusal = refusal;
    }

    /** Why it is refused; empty if it is not. */
    public Optional<String> refusal() {
      return refusal.isEmpty() ? Optional.empty() : Optional.of(refusal);
    }

    /** Whether one value is made of many rows. */
    boolean aggregates() {
      return switch (this) {
        case AGGREGATE, GRAMMAR_AGGREGATE, AGGREGATE_AGAIN, AGGREGATE_SUMMED -> true;
        default -> false;
      };
    }
  }

  /** Names of functions that tell the time, as they stand in a text. */
  private static final Pattern MOMENT =
      Pattern.compile(
          "(?i)\\b(now|today|age|local_?time(stamp)?|(get_)?current_\\w+|transaction_timestamp)\\b");

  private KnownFunctions() {}

  /** The kind of a function; empty if DuckDB has none of this name. */
  public static Optional<Kind> kind(String name) {
    String wanted = name.toLowerCase(Locale.ROOT);
    Kind kind = KINDS.get(wanted);
    return kind != null
        ? Optional.of(kind)
        : KINDS.entrySet().stream()
            .filter(entry -> entry.getKey().endsWith("*"))
            .filter(entry -> wanted.startsWith(entry.getKey().replace("*", "")))
            .map(Map.Entry::getValue)
            .findFirst();
  }

  /** All kinds, by the names of the functions, in lower case. */
  public static Map<String, Kind> all() {
    return KINDS;
  }

  /** Whether a statement may ask for the time; if it does not, the answer is always false. */
  public static boolean mayTellTime(String sql) {
    return MOMENT.matcher(sql).find();
  }

  private static Map<String, Kind> read() {
    Map<String, Kind> kinds = new LinkedHashMap<>();
    try (InputStream in = KnownFunctions.class.getResourceAsStream(TABLE)) {
      Kind kind = null;
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        if (line.startsWith("[")) {
          String name = line.replaceAll("[\\[\\],]", "").replace(' ', '_');
          kind = Kind.valueOf(name.toUpperCase(Locale.ROOT));
        } else if (!line.isBlank() && !line.startsWith("#")) {
          for (String name : Arrays.asList(line.split(" "))) {
            if (kinds.put(name, kind) != null) {
              throw new IllegalStateException(TABLE + " has " + name + " twice");
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.copyOf(kinds);
  }
}
