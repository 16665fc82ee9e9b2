package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.uniserve.api.Actor;
import io.uniserve.api.Operator;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.LocalContext;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that a scan gives each record once, wherever it goes on. */
public interface ScanChecks<A extends Actor> extends EngineUnderTest<A> {
  /** The size of pages that have one record each. */
  int ONE_RECORD = 1;

  /** The size of pages that have all records of a small actor. */
  int EVERYTHING = 1 << 20;

  @Test
  @DisplayName("pages of one record give what one page gives, in the same order")
  default void smallPagesGiveWhatOnePageGives(@TempDir Path directory) throws IOException {
    assumeTrue(scan().isPresent());
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.filledTable();
      List<Map<String, Object>> whole = read(List.of(table.actor(0)), EVERYTHING);
      assertThat(whole).as("a scan of all batches").isNotEmpty();
      assertThat(read(List.of(table.actor(0)), ONE_RECORD)).isEqualTo(whole);
    }
  }

  @Test
  @DisplayName("any copy goes on where another ended")
  default void anyCopyGoesOn(@TempDir Path directory) throws IOException {
    assumeTrue(scan().isPresent());
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.filledTable();
      LocalTable<A> copy = trial.copy(table);
      assertThat(read(List.of(table.actor(0), copy.actor(0)), ONE_RECORD))
          .isEqualTo(read(List.of(table.actor(0)), EVERYTHING));
    }
  }

  @Test
  @DisplayName("both parts of a split actor go on where the whole ended")
  default void bothPartsGoOn(@TempDir Path directory) throws IOException {
    assumeTrue(scan().isPresent());
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalTable<A> table = trial.filledTable();
      LocalTable<A> parts = trial.split(table);
      List<Map<String, Object>> all = read(List.of(table.actor(0)), EVERYTHING);
      List<Map<String, Object>> read = new ArrayList<>();
      Optional<ByteBuffer> place = page(table.actor(0), Optional.empty(), ONE_RECORD, read);
      assertThat(read).as("the first page").isNotEmpty();
      for (int part = 0; part < 2 && place.isPresent(); part++) {
        read(List.of(parts.actor(part)), place, EVERYTHING, read);
      }
      assertThat(read).containsExactlyInAnyOrderElementsOf(all);
    }
  }

  private List<Map<String, Object>> read(List<A> copies, int bytesMax) {
    List<Map<String, Object>> read = new ArrayList<>();
    read(copies, Optional.empty(), bytesMax, read);
    return read;
  }

  /** Reads pages of copies in turn, from a place to the end. */
  private void read(
      List<A> copies, Optional<ByteBuffer> from, int bytesMax, List<Map<String, Object>> read) {
    Optional<ByteBuffer> place = from;
    int pages = 0;
    do {
      place = page(copies.get(pages++ % copies.size()), place, bytesMax, read);
    } while (place.isPresent());
  }

  /** Reads a page and returns the place of the next. */
  @SuppressWarnings("unchecked")
  private Optional<ByteBuffer> page(
      A actor, Optional<ByteBuffer> place, int bytesMax, List<Map<String, Object>> read) {
    ScanPlan plan = scan().orElseThrow();
    TypeRegistry types = TypeRegistry.of(engine().types());
    Operator.Scan<A> operator =
        (Operator.Scan<A>) types.decode(ByteBuffer.wrap(types.encode(plan.operator())));
    ScanPage page =
        operator.page(actor, new ScanFrom(place, bytesMax, Optional.empty()), new LocalContext(0));
    int before = read.size();
    page.blocks().forEach(block -> plan.reader().read(block, read::add));
    assertThat(page.records()).as("the records of a page").isEqualTo(read.size() - before);
    return page.next();
  }
}
