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
 * The functions of DuckDB by their names, with the planner's treatment of each, from the table
 * {@code functions.txt}.
 */
public final class KnownFunctions {
  private static final String TABLE = "functions.txt";
  private static final Map<String, Kind> KINDS = read();

  /**
   * The kinds of functions. A name in the table that ends in a star stands for all names that begin
   * so.
   */
  public enum Kind {
    /** A function whose result depends on its arguments alone. */
    SCALAR,
    /**
     * A function as {@link #SCALAR} that is in DuckDB's grammar instead of its list of functions.
     */
    GRAMMAR,
    /** An aggregate that needs all rows of a group together. */
    AGGREGATE,
    /**
     * An aggregate as {@link #AGGREGATE} that is in DuckDB's grammar instead of its list of
     * functions.
     */
    GRAMMAR_AGGREGATE,
    /** An aggregate that also combines its values for parts of a group. */
    AGGREGATE_AGAIN,
    /** An aggregate whose values for parts of a group are summed. */
    AGGREGATE_SUMMED,
    /** A function that the planner knows as an operator of Calcite with the same meaning. */
    PLANNER,
    /** A function that returns the current time. */
    MOMENT,
    /** Refused: its result differs each time. */
    RANDOM("gives something else each time"),
    /** Refused: it depends on the connection. */
    SESSION("depends on the connection, or does something besides"),
    /** Refused: an argument is a function. */
    LAMBDA("takes a function"),
    /** Refused: its types cannot be named in a statement. */
    TYPES("has types that cannot be sent between processes, or named arguments"),
    /** Refused: it is internal to DuckDB. */
    INTERNAL("is DuckDB's own");

    private final String refusal;

    Kind() {
      this("");
    }

    Kind(String refusal) {
      this.refusal = refusal;
    }

    /** Returns the reason of the refusal; empty if it is not refused. */
    public Optional<String> refusal() {
      return refusal.isEmpty() ? Optional.empty() : Optional.of(refusal);
    }

    /** Returns whether one value is made from many rows. */
    boolean aggregates() {
      return switch (this) {
        case AGGREGATE, GRAMMAR_AGGREGATE, AGGREGATE_AGAIN, AGGREGATE_SUMMED -> true;
        default -> false;
      };
    }
  }

  /** The pattern of functions that return the current time, in a statement. */
  private static final Pattern MOMENT =
      Pattern.compile(
          "(?i)\\b(now|today|age|local_?time(stamp)?|(get_)?current_\\w+|transaction_timestamp)\\b");

  private KnownFunctions() {}

  /** Returns the kind of a function; empty if DuckDB has none of this name. */
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

  /** Returns the kinds of all functions, by their names in lower case. */
  public static Map<String, Kind> all() {
    return KINDS;
  }

  /** Returns false only if a statement certainly does not ask for the time. */
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
