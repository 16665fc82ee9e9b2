package io.uniserve.bench.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.bench.tasks.TaskTranslation.LeftOut;
import io.uniserve.bench.tasks.TaskTranslation.Query;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaskTranslationTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "HighTerm, of, of",
        "Prefix3, bet*, bet*",
        "Wildcard, th*e, th*e",
        "AndHighHigh, +he +2011, +he +2011",
        "OrHighLow, no planck's, no planck's",
        "Fuzzy1, 15.00~1, 15.00~1",
        "HighPhrase, '\"of the\"', '\"of the\"'",
        "HighSloppyPhrase, '\"of the\"~4', '\"of the\"~4'",
        "HighSpanNear, near//of the, '\"of the\"~10'",
        "IntNRQ, nrq//timesecnum 53 85622, timesecnum:[53 TO 85622]",
        "LowTerm, a:b, a\\:b",
        "LowTerm, c/d, c\\/d",
        "AndHighLow, +c++ +x-y, +c\\+\\+ +x\\-y",
      })
  void becomesAQuery(String kind, String text, String query) {
    assertThat(TaskTranslation.of(new SearchTask(kind, text))).isEqualTo(new Query(query));
  }

  @ParameterizedTest
  @CsvSource({"Respell, rower", "HighIntervalsOrdered, ordered//of the"})
  void saysWhatTheSyntaxCannotSay(String kind, String text) {
    assertThat(TaskTranslation.of(new SearchTask(kind, text))).isInstanceOf(LeftOut.class);
  }

  @Test
  void samplesAtEvenDistances() {
    List<Integer> values = IntStream.range(0, 100).boxed().toList();

    assertThat(Workloads.sample(values, 4)).containsExactly(0, 25, 50, 75);
    assertThat(Workloads.sample(values, 100)).isEqualTo(values);
    assertThat(Workloads.sample(values, 1_000)).isEqualTo(values);
  }
}
