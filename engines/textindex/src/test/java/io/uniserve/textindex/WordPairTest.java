package io.uniserve.textindex;

import static org.apache.lucene.search.DocIdSetIterator.NO_MORE_DOCS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random texts over few words, in which Lucene's own matcher finds the same documents with the same
 * scores.
 */
class WordPairTest {
  private static final int DOCUMENTS = 6_000;
  private static final int PHRASES = 150;

  /** In one document of eight. */
  private static final String SELDOM = "seldom";

  private static final String[] WORDS = {"a", "b", "c", "d", "e", "nowhere"};

  /** Segments with files of their own, and segments that are one file each. */
  private enum Files {
    SEPARATE,
    COMPOUND;

    private Directory directory;
    private IndexReader reader;
  }

  @BeforeAll
  static void index() throws IOException {
    for (Files files : Files.values()) {
      files.directory = new ByteBuffersDirectory();
      write(files.directory, files == Files.COMPOUND);
      files.reader = DirectoryReader.open(files.directory);
      assertThat(files.reader.leaves()).hasSizeGreaterThan(2);
      assertThat(files.reader.hasDeletions()).isTrue();
    }
  }

  private static void write(Directory directory, boolean compound) throws IOException {
    Random random = new Random(17);
    IndexWriterConfig config =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setUseCompoundFile(compound)
            .setMaxBufferedDocs(2_600);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Store.NO));
        String seldom = i % 8 == 0 ? " " + SELDOM : "";
        document.add(new TextField("text", text(random) + seldom, Store.NO));
        writer.addDocument(document);
      }
      for (int i = 0; i < DOCUMENTS; i += 11) {
        writer.deleteDocuments(new Term("id", Integer.toString(i)));
      }
    }
  }

  /** Now and then one whose words stand in several blocks of positions. */
  private static String text(Random random) {
    int rarest = 1 + random.nextInt(WORDS.length - 1);
    int length = random.nextInt(random.nextInt(50) == 0 ? 3_000 : 60);
    return IntStream.range(0, length)
        .mapToObj(i -> WORDS[random.nextInt(rarest)])
        .collect(Collectors.joining(" "));
  }

  @AfterAll
  static void close() throws IOException {
    for (Files files : Files.values()) {
      files.reader.close();
      files.directory.close();
    }
    assertThat(PositionsFile.open()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void findsWhatLuceneFinds(Files files) throws IOException {
    Random random = new Random(4);
    IndexSearcher lucene = plain(new IndexSearcher(files.reader));
    IndexSearcher pairs = plain(new PairSearcher(files.reader));
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
  void scoresAsLuceneScores(Files files) throws IOException {
    Random random = new Random(6);
    IndexSearcher lucene = plain(new IndexSearcher(files.reader));
    IndexSearcher pairs = plain(new PairSearcher(files.reader));
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
    assertThat(hits(found)).as("%s", query).isEqualTo(hits(wanted));
  }

  private static TopScoreDocCollectorManager all() {
    return new TopScoreDocCollectorManager(DOCUMENTS, Integer.MAX_VALUE);
  }

  private static List<String> hits(TopDocs found) {
    return Arrays.stream(found.scoreDocs).map(hit -> hit.doc + " " + hit.score).toList();
  }

  @ParameterizedTest
  @EnumSource
  void explainsWhatItScoresAndScoresNoMoreThanItSays(Files files) throws IOException {
    IndexSearcher pairs = new PairSearcher(files.reader);
    LeafReaderContext leaf = files.reader.leaves().get(1);
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

  @ParameterizedTest
  @EnumSource
  void readsFrequentWordsInBlocksAndOthersDocumentByDocument(Files files) throws IOException {
    PhraseQuery frequent = new PhraseQuery("text", "a", "b");
    assertThat(scorer(files.reader, frequent)).isInstanceOf(CountedPair.class);
    assertThat(
            new PairSearcher(files.reader)
                .createWeight(frequent, ScoreMode.COMPLETE, 1)
                .bulkScorer(files.reader.leaves().getFirst()))
        .isInstanceOf(ScoredPair.class);
    assertThat(scorer(files.reader, new PhraseQuery("text", "a", "nowhere"))).isNull();
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
    assertThat(files.reader.docFreq(new Term("text", SELDOM))).isGreaterThan(600);
    assertThat(scorer(files.reader, phrase)).isNotNull().isNotInstanceOf(FrequentPair.class);
    assertThat(new PairSearcher(files.reader).count(phrase))
        .isPositive()
        .isEqualTo(new IndexSearcher(files.reader).count(phrase));
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

  private static Directory of(int documents, Random random, FieldType type) throws IOException {
    Directory directory = new ByteBuffersDirectory();
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      for (int i = 0; i < documents; i++) {
        Document document = new Document();
        document.add(new Field("text", text(random), type));
        writer.addDocument(document);
      }
    }
    return directory;
  }

  @ParameterizedTest
  @EnumSource
  void findsTheSameInAnyWindows(Files files) throws IOException {
    Random random = new Random(8);
    LeafReaderContext leaf = files.reader.leaves().get(1);
    for (int i = 0; i < 50; i++) {
      PhraseQuery phrase = new PhraseQuery(random.nextInt(3), "text", "b", "a");
      List<Integer> wanted = new ArrayList<>();
      List<Integer> found = new ArrayList<>();
      BulkScorer pair = scorer(files.reader, phrase, leaf);
      List<Integer> all = new ArrayList<>();
      scorer(files.reader, phrase, leaf).score(adder(all), null, 0, NO_MORE_DOCS);
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

  private static IndexSearcher plain(IndexSearcher searcher) {
    searcher.setQueryCache(null);
    return searcher;
  }

  private static PhraseQuery phrase(Random random) {
    PhraseQuery.Builder phrase = new PhraseQuery.Builder().setSlop(slop(random));
    String first = WORDS[random.nextInt(WORDS.length)];
    String second = first;
    while (second.equals(first)) {
      second = WORDS[random.nextInt(WORDS.length)];
    }
    int at = random.nextInt(3);
    return phrase
        .add(new Term("text", first), at)
        .add(new Term("text", second), at + random.nextInt(4))
        .build();
  }

  private static int slop(Random random) {
    return random.nextInt(20) == 0 ? Integer.MAX_VALUE : random.nextInt(6);
  }

  private static Query asFilter(Query phrase) {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("text", "c")), Occur.SHOULD)
        .add(new ConstantScoreQuery(phrase), Occur.MUST)
        .build();
  }

  private static Query asExclusion(Query phrase) {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("text", "b")), Occur.FILTER)
        .add(phrase, Occur.MUST_NOT)
        .build();
  }

  private static Query with(Query other, PhraseQuery phrase, Occur occur) {
    return new BooleanQuery.Builder().add(other, occur).add(phrase, occur).build();
  }

  private static int[] documents(IndexSearcher searcher, Query query) throws IOException {
    return Arrays.stream(searcher.search(query, DOCUMENTS, Sort.INDEXORDER).scoreDocs)
        .mapToInt(hit -> hit.doc)
        .toArray();
  }

  /** Searches with pairs of words wherever there are some. */
  private static final class PairSearcher extends IndexSearcher {
    PairSearcher(IndexReader reader) {
      super(reader);
    }

    @Override
    public Weight createWeight(Query query, ScoreMode mode, float boost) throws IOException {
      if (!(query instanceof PhraseQuery phrase && WordPair.is(phrase))) {
        return super.createWeight(query, mode, boost);
      }
      WordPair.Places places = word -> TermStates.build(this, word, mode.needsScores());
      return mode.needsScores()
          ? WordPair.scored(phrase, places, this, boost)
          : WordPair.unscored(phrase, places);
    }
  }
}
