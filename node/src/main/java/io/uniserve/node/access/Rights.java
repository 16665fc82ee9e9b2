package io.uniserve.node.access;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.ScanOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The rights of a caller. Neither reading nor writing includes the other; administering includes
 * both.
 *
 * @param admin true if it may create and drop tables, and everything else
 * @param reads the tables that it may query; {@value #EVERY_TABLE} for all
 * @param writes the tables whose records it may change; {@value #EVERY_TABLE} for all
 * @param priority the most urgent priority that its scans may have; an administrator's may have any
 */
public record Rights(
    boolean admin, SortedSet<String> reads, SortedSet<String> writes, double priority) {
  /** The name that means every table. */
  public static final String EVERY_TABLE = "*";

  /** All rights. */
  public static final Rights ALL = new Rights(true, new TreeSet<>(), new TreeSet<>());

  private static final Pattern TABLE = Pattern.compile("\\*|[a-z][a-z0-9_-]{0,62}");
  private static final String ADMIN = "admin";
  private static final String READ = "read:";
  private static final String WRITE = "write:";
  private static final String PRIORITY = "priority:";

  /** Creates rights with scans of no special priority. */
  public Rights(boolean admin, SortedSet<String> reads, SortedSet<String> writes) {
    this(admin, reads, writes, ScanOptions.NORMAL);
  }

  /** Checks and copies the names. */
  public Rights {
    ScanOptions.DEFAULT.withPriority(priority); // refuses what is no priority

    reads = tables(reads);
    writes = tables(writes);
  }

  private static SortedSet<String> tables(SortedSet<String> names) {
    for (String name : names) {
      if (!TABLE.matcher(name).matches()) {
        throw UniserveException.invalid("'" + name + "' is no name of a table, nor *");
      }
    }
    return Collections.unmodifiableSortedSet(new TreeSet<>(names));
  }

  /** Reads the words that {@link #words} returned. */
  static Rights of(List<String> words) {
    SortedSet<String> reads = new TreeSet<>();
    SortedSet<String> writes = new TreeSet<>();
    boolean admin = false;
    double priority = ScanOptions.NORMAL;
    for (String word : words) {
      if (word.equals(ADMIN)) {
        admin = true;
      } else if (word.startsWith(READ)) {
        reads.add(word.substring(READ.length()));
      } else if (word.startsWith(WRITE)) {
        writes.add(word.substring(WRITE.length()));
      } else if (word.startsWith(PRIORITY)) {
        priority = ScanOptions.priority(word.substring(PRIORITY.length()));
      } else {
        throw UniserveException.invalid(
            "'" + word + "' is none of admin, read:TABLE, write:TABLE, priority:P");
      }
    }
    return new Rights(admin, reads, writes, priority);
  }

  /**
   * Returns the rights one by one: {@code admin}, {@code read:TABLE}, {@code write:TABLE}, {@code
   * priority:P}.
   */
  public List<String> words() {
    List<String> words = new ArrayList<>();
    if (admin) {
      words.add(ADMIN);
    }
    reads.forEach(table -> words.add(READ + table));
    writes.forEach(table -> words.add(WRITE + table));
    if (priority != ScanOptions.NORMAL) {
      words.add(PRIORITY + priority);
    }
    return words;
  }

  boolean mayScan(double wanted) {
    return admin || wanted >= priority;
  }

  boolean mayRead(String table) {
    return mayReadAll() || reads.contains(table);
  }

  boolean mayWrite(String table) {
    return admin || writes.contains(EVERY_TABLE) || writes.contains(table);
  }

  /** Returns whether the caller may see news of the whole cluster. */
  boolean mayReadAll() {
    return admin || reads.contains(EVERY_TABLE);
  }

  /** Returns whether the caller may know that a table exists, and how it is defined. */
  boolean mayKnow(String table) {
    return mayRead(table) || mayWrite(table);
  }
}
