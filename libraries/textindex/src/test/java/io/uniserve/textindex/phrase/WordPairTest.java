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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests on random texts that the documents are those of Lucene's own matcher. */
class WordPairTest extends OnRandomTexts {
  private static final int PHRASES = 150;

  @ParameterizedTest
  @EnumSource
  void findsWhatLuceneFinds(Files files) throws IOException {
    Random random = new Random(4);
    IndexSearcher lucene = plain(new IndexSearcher(reader(files)));
    IndexSearcher pairs = plain(new PairSearcher(reader(files)));
    int matched = 0;
    for (int i = 0; i < PHRASES; i++) {
      Query phrase = phrase(random);
      for (Query query : List.of(phrase, asFilter(phrase), asExclusion(phrase))) {
        assertThat(pairs.count(query)).as("%s", query).isEqualTo(lucene.count(query));
        assertThat(documents(pairs, query)).as("%s", query).isEqualTo(documents(lucene, query));
      }
      matched += lucene.count(phrase) > 0 ? 1 : 0;
    }
    assertThat(matched).isBetween(PHRASES / 4, PHRASES - 1);
    assertThat(PositionsFile.open()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void readsFrequentWordsInBlocksAndOthersDocumentByDocument(Files files) throws IOException {
    PhraseQuery frequent = new PhraseQuery("text", "a", "b");
    assertThat(scorer(reader(files), frequent)).isInstanceOf(CountedPair.class);
    assertThat(
            new PairSearcher(reader(files))
                .createWeight(frequent, ScoreMode.COMPLETE, 1)
                .bulkScorer(reader(files).leaves().getFirst()))
        .isInstanceOf(ScoredPair.class);
    assertThat(scorer(reader(files), new PhraseQuery("text", "a", "nowhere"))).isNull();
    try (Directory few = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(few, new IndexWriterConfig())) {
        Document document = new Document();
        document.add(new TextField("text", "a b", Store.NO));
        writer.addDocument(document);
      }
      try (IndexReader reader = DirectoryReader.open(few)) {
        assertThat(scorer(reader, new PhraseQuery("text", "a", "b")))
            .isNotNull()
            .isNotInstanceOf(FrequentPair.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void leavesAWordThatIsMuchRarerToLucenesLists(Files files) throws IOException {
    PhraseQuery phrase = new PhraseQuery(20, "text", "a", SELDOM);
    assertThat(reader(files).docFreq(new Term("text", SELDOM))).isGreaterThan(600);
    assertThat(scorer(reader(files), phrase)).isNotNull().isNotInstanceOf(FrequentPair.class);
    assertThat(new PairSearcher(reader(files)).count(phrase))
        .isPositive()
        .isEqualTo(new IndexSearcher(reader(files)).count(phrase));
  }

  @Test
  void leavesFieldsThatKeepMoreThanPositionsToLucenesLists() throws IOException {
    FieldType offsets = new FieldType(TextField.TYPE_NOT_STORED);
    offsets.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    Random random = new Random(5);
    try (Directory marked = of(1_000, random, offsets);
        IndexReader reader = DirectoryReader.open(marked)) {
      PhraseQuery phrase = new PhraseQuery("text", "a", "b");
      assertThat(scorer(reader, phrase)).isNotInstanceOf(FrequentPair.class);
      assertThat(new PairSearcher(reader).count(phrase))
          .isPositive()
          .isEqualTo(new IndexSearcher(reader).count(phrase));
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsTheSameInAnyWindows(Files files) throws IOException {
    Random random = new Random(8);
    LeafReaderContext leaf = reader(files).leaves().get(1);
    for (int i = 0; i < 50; i++) {
      PhraseQuery phrase = new PhraseQuery(random.nextInt(3), "text", "b", "a");
      List<Integer> wanted = new ArrayList<>();
      List<Integer> found = new ArrayList<>();
      BulkScorer pair = scorer(reader(files), phrase, leaf);
      List<Integer> all = new ArrayList<>();
      scorer(reader(files), phrase, leaf).score(adder(all), null, 0, NO_MORE_DOCS);
      int to = 0;
      while (to != NO_MORE_DOCS) {
        int from = to + random.nextInt(20);
        to = random.nextInt(100) == 0 ? NO_MORE_DOCS : from + random.nextInt(200);
        assertThat(pair.score(adder(found), null, from, to)).isGreaterThanOrEqualTo(to);
        for (int document : all) {
          if (document >= from && document < to) {
            wanted.add(document);
          }
        }
      }
      assertThat(found).isNotEmpty().isEqualTo(wanted);
    }
  }

  private static LeafCollector adder(List<Integer> documents) {
    return new LeafCollector() {
      @Override
      public void setScorer(Scorable scorer) {}

      @Override
      public void collect(int document) {
        documents.add(document);
      }
    };
  }

  private static BulkScorer scorer(IndexReader reader, PhraseQuery phrase) throws IOException {
    return scorer(reader, phrase, reader.leaves().getFirst());
  }

  private static BulkScorer scorer(IndexReader reader, PhraseQuery phrase, LeafReaderContext leaf)
      throws IOException {
    return new PairSearcher(reader)
        .createWeight(phrase, ScoreMode.COMPLETE_NO_SCORES, 1)
        .bulkScorer(leaf);
  }

  private static Query asExclusion(Query phrase) {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("text", "b")), Occur.FILTER)
        .add(phrase, Occur.MUST_NOT)
        .build();
  }

  private static int[] documents(IndexSearcher searcher, Query query) throws IOException {
    return Arrays.stream(searcher.search(query, DOCUMENTS, Sort.INDEXORDER).scoreDocs)
        .mapToInt(hit -> hit.doc)
        .toArray();
  }
}
