package io.uniserve.runtime.client;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a scan.
 *
 * @param priority P(q), from 1 to {@value #PRIORITY_MAX}; less is more urgent
 * @param slots K, if it is to be fixed; empty to find it (PNUTS §3)
 * @param pageBytes the size of a page, in bytes
 * @param bufferBytes the most bytes of pages that are fetched ahead; a page that is larger than
 *     asked for, by a record, may exceed it
 * @param patience the time after which the scan fails if an actor cannot be read
 * @param cursor the end of an earlier scan of the same request
 */
public record ScanOptions(
    double priority,
    Optional<Integer> slots,
    int pageBytes,
    long bufferBytes,
    Duration patience,
    Optional<String> cursor) {
  /** The most urgent priority. */
  public static final double GOLD = 1;

  /** The priority of scans that say nothing of theirs. */
  public static final double NORMAL = 4;

  /** The priority of scans that nobody waits for. */
  public static final double BATCH = 16;

  /** The least urgent priority. */
  public static final double PRIORITY_MAX = 1_000;

  /** The most slots that may be fixed. */
  public static final int SLOTS_MAX = 10_000;

  private static final int PAGE_BYTES_MAX = 16 << 20;

  /** The default. */
  public static final ScanOptions DEFAULT =
      new ScanOptions(
          NORMAL, Optional.empty(), 1 << 20, 32 << 20, Duration.ofSeconds(30), Optional.empty());

  /** Checks the values. */
  public ScanOptions {
    if (!(priority >= GOLD && priority <= PRIORITY_MAX)) {
      throw UniserveException.invalid(
          "the priority of a scan is 1 to " + (int) PRIORITY_MAX + ", not " + priority);
    }
    if (slots.isPresent() && (slots.get() < 1 || slots.get() > SLOTS_MAX)) {
      throw UniserveException.invalid(
          "a scan reads with 1 to " + SLOTS_MAX + " slots, not " + slots.get());
    }
    if (pageBytes < 1 || pageBytes > PAGE_BYTES_MAX || bufferBytes < pageBytes) {
      throw UniserveException.invalid(
          "pages of " + pageBytes + " bytes in a buffer of " + bufferBytes);
    }
  }

  /**
   * Returns a priority of the name gold, normal or batch, or of a number.
   *
   * @throws UniserveException if it is neither
   */
  public static double priority(String text) {
    return switch (text) {
      case "gold" -> GOLD;
      case "normal" -> NORMAL;
      case "batch" -> BATCH;
      default -> {
        try {
          yield Double.parseDouble(text);
        } catch (NumberFormatException e) {
          throw UniserveException.invalid(
              "a priority is gold, normal, batch or a number, not '" + text + "'");
        }
      }
    };
  }

  /** Returns the same options with another priority. */
  public ScanOptions withPriority(double other) {
    return new ScanOptions(other, slots, pageBytes, bufferBytes, patience, cursor);
  }

  /** Returns the same options with a fixed K. */
  public ScanOptions withSlots(int fixed) {
    return new ScanOptions(priority, Optional.of(fixed), pageBytes, bufferBytes, patience, cursor);
  }

  /** Returns the same options with other sizes. */
  public ScanOptions withSizes(int page, long buffer) {
    return new ScanOptions(priority, slots, page, buffer, patience, cursor);
  }

  /** Returns the same options of a scan that goes on. */
  public ScanOptions withCursor(String from) {
    return new ScanOptions(priority, slots, pageBytes, bufferBytes, patience, Optional.of(from));
  }

  /** Returns the same options with another patience. */
  public ScanOptions withPatience(Duration other) {
    return new ScanOptions(priority, slots, pageBytes, bufferBytes, other, cursor);
  }
}
