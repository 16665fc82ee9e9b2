package io.uniserve.bench.bare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.bench.RealData;
import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.answers.Answer.Hit;
import io.uniserve.bench.base.BenchException;
import io.uniserve.bench.corpus.BenchDocument;
import io.uniserve.bench.corpus.Corpus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the bare indexes over the first two thousand real documents. */
class BareIndexesTest {

  private static final int DOCUMENTS = 2_000;

  @TempDir private Path directory;
  private Corpus corpus;

  @BeforeEach
  void openCorpus() {
    corpus = Corpus.wikipedia(RealData.with("text/enwiki2015_AA.txt.xz"), DOCUMENTS);
  }

  @Test
  void fourIndexesAnswerAsOne() throws IOException {
    List<Path> four = BareIndexBuild.build(corpus, directory.resolve("four"), 4);
    List<Path> one = BareIndexBuild.build(corpus, directory.resolve("one"), 1);
    try (BareIndexes parts = BareIndexes.open(four);
        BareIndexes whole = BareIndexes.open(one)) {
      assertThat(parts.documents()).isEqualTo(DOCUMENTS).isEqualTo(whole.documents());
      for (String query : List.of("anarchism", "\"is also\"", "+the +philosophy", "alabama~1")) {
        Answer answer = parts.answer(BareQueries.parse(query), 10);
        Answer expected = whole.answer(BareQueries.parse(query), 10);
        assertThat(answer.count()).as(query).isPositive().isEqualTo(expected.count());
        assertThat(scores(answer)).as(query).isEqualTo(scores(expected));
      }
    }
  }

  @Test
  void aPhraseCountsTheDocumentsThatHoldIt() throws IOException {
    List<BenchDocument> documents = new ArrayList<>();
    corpus.forEach(documents::add);
    long holding =
        documents.stream()
            .map(document -> document.body().toLowerCase(Locale.ROOT))
            .filter(body -> body.matches("(?s).*\\bsocial insects\\b.*"))
            .count();
    try (BareIndexes indexes = BareIndexes.open(BareIndexBuild.build(corpus, directory, 4))) {
      assertThat(indexes.answer(BareQueries.parse("\"social insects\""), 0).count())
          .isEqualTo(holding);
    }
  }

  @Test
  void aRangeIsOneOfNumbers() throws IOException {
    long[] inRange = new long[1];
    corpus.forEach(
        document ->
            inRange[0] += document.timeSecond() >= 999 && document.timeSecond() <= 20_000 ? 1 : 0);
    try (BareIndexes indexes = BareIndexes.open(BareIndexBuild.build(corpus, directory, 4))) {
      assertThat(indexes.answer(BareQueries.parse("timesecnum:[999 TO 20000]"), 0).count())
          .isEqualTo(inRange[0]);
    }
  }

  @Test
  void aQueryThatCannotBeParsedIsNamed() {
    assertThatThrownBy(() -> BareQueries.parse("\"open"))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("\"open");
  }

  private static List<Double> scores(Answer answer) {
    return answer.hits().stream().map(Hit::score).toList();
  }
}
