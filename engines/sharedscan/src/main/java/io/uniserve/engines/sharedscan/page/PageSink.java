package io.uniserve.engines.sharedscan.page;

import io.uniserve.api.ScanFrom;
import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.scan.Sink;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A sink that keeps the first records after a {@link Place}, as many as fill a page. It sees all
 * records of the actor, in any order. Whenever it has two pages of records, it forgets those beyond
 * the first page.
 */
public final class PageSink implements Sink {
  private final TableSchema schema;
  private final Cells everything;
  private final Cells keyCells;
  private final Cells cells;
  private final int[] columns;
  private final ScanFrom from;
  private final BooleanSupplier abandoned;
  private final MessageDigest sha256;
  private final Optional<Place> place;
  private final Optional<Object> placeKey;
  private List<Candidate> candidates = new ArrayList<>();
  private long candidateBytes;
  private Optional<Object> bound = Optional.empty();
  private long equalToPlace;
  private long matching;

  /**
   * A record that may be on the page.
   *
   * @param key the stored value that decides where it is
   * @param stored the values that are given
   * @param sizeBytes the size of these
   */
  private record Candidate(Object key, long high, long low, Object[] stored, int sizeBytes) {
    boolean isAt(Place place) {
      return high == place.high() && low == place.low();
    }

    boolean equals(Candidate other) {
      return high == other.high && low == other.low;
    }
  }

  private static final Comparator<Candidate> ORDER =
      Comparator.<Candidate, Object>comparing(Candidate::key, PageSink::compare)
          .thenComparingLong(Candidate::high)
          .thenComparingLong(Candidate::low);

  /**
   * Makes a sink.
   *
   * @param columns the places of the columns whose values are given
   * @param from the place, and the size of the page
   * @param abandoned tells whether nobody waits any more
   */
  public PageSink(TableSchema schema, int[] columns, ScanFrom from, BooleanSupplier abandoned) {
    this.schema = schema;
    this.everything = new Cells(schema.columns());
    this.keyCells = new Cells(List.of(schema.column(schema.partitionBy())));
    this.cells = Cells.of(schema.columns(), columns);
    this.columns = columns.clone();
    this.from = from;
    this.abandoned = abandoned;
    this.sha256 = sha256();
    this.place = from.place().map(Place::of);
    this.placeKey =
        place.map(last -> keyCells.take(last.key().duplicate().order(ByteOrder.LITTLE_ENDIAN))[0]);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static int compare(Object one, Object other) {
    return one instanceof byte[] text
        ? Arrays.compareUnsigned(text, (byte[]) other)
        : Long.compare((long) one, (long) other);
  }

  /** Compares the value that decides where a record is with another one. */
  private int compareKey(Chunk chunk, int slot, Object key) {
    return key instanceof byte[] text
        ? chunk.compareText(schema.partitionBy(), slot, text)
        : Long.compare(chunk.number(schema.partitionBy(), slot), (long) key);
  }

  @Override
  public void take(Chunk chunk, int slot) {
    if (placeKey.isPresent() && compareKey(chunk, slot, placeKey.get()) < 0) {
      return;
    }
    if (bound.isPresent() && compareKey(chunk, slot, bound.get()) > 0) {
      matching++;
      return;
    }
    Object key = chunk.stored(schema.partitionBy(), slot);
    if (from.only().isPresent() && !from.only().get().test(schema.key(key))) {
      return;
    }
    Candidate candidate = candidate(chunk, slot, key);
    if (isBehind(candidate)) {
      matching++;
      candidates.add(candidate);
      candidateBytes += candidate.sizeBytes();
      if (candidateBytes > 2L * from.bytesMax()) {
        shrink();
      }
    }
  }

  private Candidate candidate(Chunk chunk, int slot, Object key) {
    Object[] row = new Object[schema.size()];
    for (int column = 0; column < row.length; column++) {
      row[column] = chunk.stored(column, slot);
    }
    ByteBuffer digest = ByteBuffer.wrap(sha256.digest(everything.of(row).array()));
    Object[] given = new Object[columns.length];
    for (int i = 0; i < columns.length; i++) {
      given[i] = row[columns[i]];
    }
    return new Candidate(key, digest.getLong(), digest.getLong(), given, cells.sizeBytes(given));
  }

  /** Returns whether a record comes after the place. */
  private boolean isBehind(Candidate candidate) {
    if (place.isEmpty()) {
      return true;
    }
    Place last = place.get();
    int order = compare(candidate.key(), placeKey.get());
    if (order == 0) {
      order = Long.compare(candidate.high(), last.high());
    }
    if (order == 0) {
      order = Long.compare(candidate.low(), last.low());
    }
    return order > 0 || order == 0 && ++equalToPlace > last.given();
  }

  /** Forgets the records beyond the first page. */
  private void shrink() {
    candidates.sort(ORDER);
    int kept = fitting();
    if (kept < candidates.size()) {
      candidates = new ArrayList<>(candidates.subList(0, kept));
      candidateBytes = candidates.stream().mapToLong(Candidate::sizeBytes).sum();
      bound = Optional.of(candidates.getLast().key());
    }
  }

  /** Returns how many of the candidates in order fill a page; the last may exceed it. */
  private int fitting() {
    long bytes = 0;
    int fitting = 0;
    while (fitting < candidates.size() && bytes < from.bytesMax()) {
      bytes += candidates.get(fitting++).sizeBytes();
    }
    return fitting;
  }

  @Override
  public boolean wantsMore() {
    return !abandoned.getAsBoolean();
  }

  /**
   * A page.
   *
   * @param count the number of its records
   * @param cells their values in compact form, one record after another
   * @param next the place of the last; empty if none comes after it
   * @param read the number of records that were passed, whether they matched or not, about
   */
  public record Page(int count, ByteBuffer cells, Optional<ByteBuffer> next, long read) {}

  /**
   * Returns the page, once all records have been taken.
   *
   * @param records the number of the actor's records
   */
  public Page page(long records) {
    candidates.sort(ORDER);
    int count = fitting();
    boolean ended = bound.isEmpty() && count == candidates.size();
    List<Candidate> given = candidates.subList(0, count);
    ByteBuffer bytes =
        ByteBuffer.allocate(given.stream().mapToInt(Candidate::sizeBytes).sum())
            .order(ByteOrder.LITTLE_ENDIAN);
    given.forEach(each -> cells.put(each.stored(), bytes));
    long readBefore = place.map(Place::read).orElse(0L);
    long left = Math.max(0, records - readBefore);
    long read = ended ? left : Math.round((double) left * count / Math.max(matching, count));
    return new Page(
        count,
        bytes.flip(),
        ended ? Optional.empty() : Optional.of(after(given, readBefore + read).bytes()),
        read);
  }

  private Place after(List<Candidate> given, long read) {
    Candidate last = given.getLast();
    long equal = given.reversed().stream().takeWhile(each -> each.equals(last)).count();
    boolean wasThere = place.isPresent() && last.isAt(place.get());
    return new Place(
        keyCells.of(new Object[] {last.key()}),
        last.high(),
        last.low(),
        equal + (wasThere ? place.get().given() : 0),
        read);
  }
}
