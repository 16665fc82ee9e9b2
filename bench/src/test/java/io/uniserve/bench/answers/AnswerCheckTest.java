package io.uniserve.bench.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.bench.answers.Answer.Hit;
import io.uniserve.bench.tasks.Workload.Scores;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AnswerCheckTest {

  private static final Answer EXPECTED = answer(9, "a", 3.0, "b", 2.0, "c", 1.0, "d", 1.0);

  @Test
  void theSameIsEqual() {
    assertThat(difference(EXPECTED)).isNull();
    assertThat(difference(answer(9, "a", 3.0000001, "b", 2.0, "c", 1.0, "d", 1.0))).isNull();
  }

  @Test
  void documentsOfTheLastScoreMayBeOthers() {
    assertThat(difference(answer(9, "a", 3.0, "b", 2.0, "d", 1.0, "e", 1.0))).isNull();
  }

  @Test
  void documentsOfTheLastScoreMayNotBeOthersIfTheListIsComplete() {
    Answer complete = answer(2, "a", 3.0, "b", 2.0);

    assertThat(AnswerCheck.difference(complete, answer(2, "a", 3.0, "x", 2.0), Scores.COMPARABLE))
        .contains("document b is missing");
  }

  @Test
  void findsEveryKindOfDifference() {
    assertThat(difference(answer(8, "a", 3.0, "b", 2.0, "c", 1.0, "d", 1.0))).contains("count 8");
    assertThat(difference(answer(9, "a", 3.0, "b", 2.0, "c", 1.0))).contains("3 hits, not 4");
    assertThat(difference(answer(9, "a", 3.1, "b", 2.0, "c", 1.0, "d", 1.0)))
        .contains("score 3.1 of a at rank 1, not 3.0");
    assertThat(difference(answer(9, "a", 3.0, "x", 2.0, "c", 1.0, "d", 1.0)))
        .contains("document b is missing");
  }

  @Test
  void whereScoresCannotAgreeOnlyCountsAreCompared() {
    Answer other = answer(9, "w", 1.0, "x", 1.0, "y", 1.0, "z", 1.0);

    assertThat(AnswerCheck.difference(EXPECTED, other, Scores.CONSTANT)).isEmpty();
    assertThat(AnswerCheck.difference(EXPECTED, answer(3), Scores.EXPANDED)).isPresent();
  }

  @Test
  void readsWhatSolrAnswers() {
    String body =
        """
        {"responseHeader":{"status":0},"response":{"numFound":2,"start":0,"maxScore":1.5,
         "numFoundExact":true,"docs":[{"id":"12-0","score":1.5},{"id":"7-1","score":0.25}]}}
        """;

    assertThat(SolrAnswers.parse(body.getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(answer(2, "12-0", 1.5, "7-1", 0.25));
  }

  private static String difference(Answer actual) {
    return AnswerCheck.difference(EXPECTED, actual, Scores.COMPARABLE).orElse(null);
  }

  private static Answer answer(long count, Object... idsAndScores) {
    List<Hit> hits =
        IntStream.range(0, idsAndScores.length / 2)
            .mapToObj(i -> new Hit((String) idsAndScores[2 * i], (double) idsAndScores[2 * i + 1]))
            .toList();
    return new Answer(count, hits);
  }
}
