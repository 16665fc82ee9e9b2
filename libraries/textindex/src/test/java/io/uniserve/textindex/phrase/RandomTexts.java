package io.uniserve.textindex.phrase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
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
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Random texts over few words, in several segments, of which some documents are deleted. */
final class RandomTexts implements AutoCloseable {
  static final int DOCUMENTS = 6_000;

  /** The word in one document of eight. */
  static final String SELDOM = "seldom";

  private static final String[] WORDS = {"a", "b", "c", "d", "e", "nowhere"};

  /** Segments with files of their own, and segments that are one file each. */
  enum Files {
    SEPARATE,
    COMPOUND;

    RandomTexts texts() throws IOException {
      return new RandomTexts(this == COMPOUND);
    }
  }

  private final Directory directory = new ByteBuffersDirectory();
  private final IndexReader reader;

  private RandomTexts(boolean compound) throws IOException {
    write(directory, compound);
    reader = DirectoryReader.open(directory);
    assertThat(reader.leaves()).hasSizeGreaterThan(2);
    assertThat(reader.hasDeletions()).isTrue();
  }

  IndexReader reader() {
    return reader;
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
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
  static String text(Random random) {
    int rarest = 1 + random.nextInt(WORDS.length - 1);
    int length = random.nextInt(random.nextInt(50) == 0 ? 3_000 : 60);
    return IntStream.range(0, length)
        .mapToObj(i -> WORDS[random.nextInt(rarest)])
        .collect(Collectors.joining(" "));
  }

  /** An index of other texts, in a field of this type. */
  static Directory of(int documents, Random random, FieldType type) throws IOException {
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

  static IndexSearcher plain(IndexSearcher searcher) {
    searcher.setQueryCache(null);
    return searcher;
  }

  /** Makes a phrase of two of the words, in any places, more or less sloppy. */
  static PhraseQuery phrase(Random random) {
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

  static Query asFilter(Query phrase) {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("text", "c")), Occur.SHOULD)
        .add(new ConstantScoreQuery(phrase), Occur.MUST)
        .build();
  }

  /** A searcher that uses pairs of words wherever possible. */
  static final class PairSearcher extends IndexSearcher {
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
