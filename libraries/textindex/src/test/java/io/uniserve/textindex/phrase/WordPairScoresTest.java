package io.uniserve.textindex.phrase;

import static io.uniserve.textindex.phrase.RandomTexts.DOCUMENTS;
import static io.uniserve.textindex.phrase.RandomTexts.SELDOM;
import static io.uniserve.textindex.phrase.RandomTexts.asFilter;
import static io.uniserve.textindex.phrase.RandomTexts.of;
import static io.uniserve.textindex.phrase.RandomTexts.phrase;
import static io.uniserve.textindex.phrase.RandomTexts.plain;
import static org.apache.lucene.search.DocIdSetIterator.NO_MORE_DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.textindex.phrase.RandomTexts.Files;
import io.uniserve.textindex.phrase.RandomTexts.PairSearcher;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests on random texts that scores equal those of Lucene's own matcher. */
class WordPairScoresTest extends OnRandomTexts {
  private static final int PHRASES = 60;

  @ParameterizedTest
  @EnumSource
  void scoresAsLuceneScores(Files files) throws IOException {
    Random random = new Random(6);
    IndexSearcher lucene = plain(new IndexSearcher(reader(files)));
    IndexSearcher pairs = plain(new PairSearcher(reader(files)));
    int matched = 0;
    for (int i = 0; i < PHRASES; i++) {
      PhraseQuery phrase = phrase(random);
      for (Query query :
          List.of(
              phrase,
              new BoostQuery(with(phrase(random), phrase, Occur.SHOULD), 2.5f),
              asFilter(phrase),
              with(new TermQuery(new Term("text", "c")), phrase, Occur.SHOULD),
              with(phrase(random), phrase, Occur.SHOULD),
              with(phrase(random), phrase, Occur.MUST))) {
        assertSameScores(pairs, lucene, query);
      }
      matched += lucene.count(phrase) > 0 ? 1 : 0;
    }
    assertThat(matched).isBetween(PHRASES / 4, PHRASES - 1);
  }

  @Test
  void scoresAsLuceneScoresWhereLengthsAreNotKept() throws IOException {
    FieldType unmeasured = new FieldType(TextField.TYPE_NOT_STORED);
    unmeasured.setOmitNorms(true);
    Random random = new Random(7);
    try (Directory directory = of(1_000, random, unmeasured);
        IndexReader reader = DirectoryReader.open(directory)) {
      for (int i = 0; i < PHRASES; i++) {
        assertSameScores(new PairSearcher(reader), new IndexSearcher(reader), phrase(random));
      }
    }
  }

  private static void assertSameScores(IndexSearcher pairs, IndexSearcher lucene, Query query)
      throws IOException {
    TopDocs found = pairs.search(query, all());
    TopDocs wanted = lucene.search(query, all());
    assertThat(found.totalHits).as("%s", query).isEqualTo(wanted.totalHits);
    assertThat(documents(found)).as("%s", query).isEqualTo(documents(wanted));
    assertThat(scores(found)).as("%s", query).isEqualTo(scores(wanted));
  }

  private static TopScoreDocCollectorManager all() {
    return new TopScoreDocCollectorManager(DOCUMENTS, Integer.MAX_VALUE);
  }

  private static int[] documents(TopDocs found) {
    return Arrays.stream(found.scoreDocs).mapToInt(hit -> hit.doc).toArray();
  }

  private static double[] scores(TopDocs found) {
    return Arrays.stream(found.scoreDocs).mapToDouble(hit -> hit.score).toArray();
  }

  @ParameterizedTest
  @EnumSource
  void explainsWhatItScoresAndScoresNoMoreThanItSays(Files files) throws IOException {
    IndexSearcher pairs = new PairSearcher(reader(files));
    LeafReaderContext leaf = reader(files).leaves().get(1);
    for (PhraseQuery phrase :
        List.of(new PhraseQuery("text", "a", "b"), new PhraseQuery(3, "text", "b", SELDOM))) {
      Weight weight = pairs.createWeight(phrase, ScoreMode.COMPLETE, 1);
      float max = weight.scorer(leaf).getMaxScore(NO_MORE_DOCS);
      Map<Integer, Float> scores =
          Arrays.stream(pairs.search(phrase, all()).scoreDocs)
              .collect(Collectors.toMap(hit -> hit.doc - leaf.docBase, hit -> hit.score));
      int matched = 0;
      for (int document = 0; document < 300; document++) {
        if (!leaf.reader().getLiveDocs().get(document)) {
          continue; // found by a weight, and dropped by whoever asked it
        }
        Explanation explained = weight.explain(leaf, document);
        assertThat(explained.isMatch()).isEqualTo(scores.containsKey(document));
        if (explained.isMatch()) {
          matched++;
          assertThat(explained.getValue()).isEqualTo(scores.get(document));
          assertThat(scores.get(document)).isPositive().isLessThanOrEqualTo(max);
        }
      }
      assertThat(matched).isBetween(1, 270);
    }
  }

  private static Query with(Query other, PhraseQuery phrase, Occur occur) {
    return new BooleanQuery.Builder().add(other, occur).add(phrase, occur).build();
  }
}
