package io.uniserve.sql.estimates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.uniserve.sql.estimates.Estimate.Key;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.util.ImmutableBitSet;
import org.junit.jupiter.api.Test;

class EstimateTest {
  /** A thousand readers, of 25 towns: id, town. */
  private static final Estimate READERS =
      new Estimate(1_000, 1_000, List.of(column(1_000), column(25)), List.of(key(1_000, 0)));

  /** Ten loans of each reader: reader, book. */
  private static final Estimate LOANS =
      new Estimate(10_000, 10_000, List.of(column(1_000), column(200)), List.of());

  private static final ColumnPair BY_READER = new ColumnPair(0, 0);

  private static ColumnEstimate column(double values) {
    return ColumnEstimate.of(values, Optional.empty());
  }

  private static Key key(double domain, int... columns) {
    return new Key(ImmutableBitSet.of(columns), domain);
  }

  @Test
  void eachRowMeetsTheOneThatItNames() {
    assertThat(LOANS.joined(READERS, List.of(BY_READER)).rows()).isEqualTo(10_000);
    assertThat(READERS.joined(LOANS, List.of(BY_READER)).rows()).isEqualTo(10_000);
  }

  @Test
  void whatFiltersLeaveOnBothSidesHasNothingToDoWithEachOther() {
    Estimate few = READERS.filtered(1, 1.0 / 25);
    Estimate some = LOANS.filtered(1, 0.1);

    assertThat(some.joined(few, List.of(BY_READER)).rows()).isCloseTo(40, within(0.1));
    assertThat(few.joined(some, List.of(BY_READER)).rows()).isCloseTo(40, within(0.1));
  }

  /** Rows that a reduction by the other side has left are not left out again by the join. */
  @Test
  void whatAReductionLeavesMeetsWhatItWasReducedBy() {
    Estimate few = READERS.filtered(1, 1.0 / 25);
    Estimate reduced = LOANS.reduced(0, 1.0 / 25);

    assertThat(reduced.rows()).isCloseTo(400, within(0.1));
    assertThat(reduced.joined(few, List.of(BY_READER)).rows()).isCloseTo(400, within(0.1));
    assertThat(few.joined(reduced, List.of(BY_READER)).rows()).isCloseTo(400, within(0.1));
  }

  @Test
  void aKeyOfSeveralColumnsIsOneOfItsOwnCombinations() {
    Estimate stock =
        new Estimate(800, 800, List.of(column(200), column(10)), List.of(key(800, 0, 1)));
    Estimate sold = new Estimate(6_000, 6_000, List.of(column(200), column(10)), List.of());
    List<ColumnPair> both = List.of(new ColumnPair(0, 0), new ColumnPair(1, 1));

    assertThat(sold.joined(stock, both).rows()).isEqualTo(6_000);
    assertThat(stock.joined(sold, both).rows()).isEqualTo(6_000);
    assertThat(sold.joined(stock.among(0.5), both).rows()).isEqualTo(3_000);
  }

  /** Checks that a tenth of ten loans of each reader still names two thirds of the readers. */
  @Test
  void valuesAreThereAsLongAsOneOfTheirRowsIs() {
    assertThat(LOANS.among(0.1).column(0).values()).isCloseTo(651, within(1.0));
    assertThat(READERS.among(0.1).column(0).values()).isCloseTo(100, within(0.1));
    assertThat(LOANS.filtered(1, 0.1).column(1).values()).isCloseTo(20, within(0.1));
  }

  @Test
  void joinedColumnsHaveTheValuesOfBoth() {
    Estimate joined = LOANS.joined(READERS.among(0.2), List.of(BY_READER));

    assertThat(joined.column(0).values()).isCloseTo(200, within(1.0));
    assertThat(joined.column(2).values()).isCloseTo(200, within(1.0));
    assertThat(joined.column(0).domain()).isEqualTo(1_000);
  }

  @Test
  void aShareOfTheRowsMeetsFew() {
    assertThat(LOANS.met(0, READERS.among(0.2), 0)).isCloseTo(0.2, within(0.01));
    assertThat(LOANS.reduced(0, 0.2).met(0, READERS.among(0.2), 0)).isCloseTo(1, within(0.01));
    assertThat(LOANS.met(0, Estimate.of(50, 1), 0)).isEqualTo(0.05);
  }
}
