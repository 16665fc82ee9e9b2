package io.uniserve.textindex;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
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
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Random texts over few words, in which Lucene's own matcher finds the same documents. */
class WordPairTest {
  private static final int DOCUMENTS = 3_000;
  private static final int PHRASES = 400;
  private static final String[] WORDS = {"a", "b", "c", "d", "e", "nowhere"};

  private static Directory directory;
  private static IndexReader reader;

  @BeforeAll
  static void index() throws IOException {
    Random random = new Random(17);
    directory = new ByteBuffersDirectory();
    IndexWriterConfig config =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setMaxBufferedDocs(700);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Store.NO));
        document.add(new TextField("text", text(random), Store.NO));
        writer.addDocument(document);
      }
      for (int i = 0; i < DOCUMENTS; i += 11) {
        writer.deleteDocuments(new Term("id", Integer.toString(i)));
      }
    }
    reader = DirectoryReader.open(directory);
    assertThat(reader.leaves()).hasSizeGreaterThan(2);
    assertThat(reader.hasDeletions()).isTrue();
  }

  private static String text(Random random) {
    int rarest = 1 + random.nextInt(WORDS.length - 1);
    return IntStream.range(0, random.nextInt(60))
        .mapToObj(i -> WORDS[random.nextInt(rarest)])
        .collect(Collectors.joining(" "));
  }

  @AfterAll
  static void close() throws IOException {
    reader.close();
    directory.close();
  }

  @Test
  void findsWhatLuceneFinds() throws IOException {
    Random random = new Random(4);
    IndexSearcher lucene = plain(new IndexSearcher(reader));
    IndexSearcher pairs = plain(new PairSearcher(reader));
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
      return !mode.needsScores() && query instanceof PhraseQuery phrase && WordPair.is(phrase)
          ? WordPair.of(phrase, word -> TermStates.build(this, word, false))
          : super.createWeight(query, mode, boost);
    }
  }
}
