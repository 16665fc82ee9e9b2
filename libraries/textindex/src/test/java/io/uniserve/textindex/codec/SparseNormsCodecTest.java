package io.uniserve.textindex.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index with the codec is the one that Lucene makes, whoever reads it. */
class SparseNormsCodecTest {
  /** The text fields, named by the number of documents of a hundred that have them. */
  private enum Text {
    ALL(100),
    SOME(50),
    FEW(2),
    NONE(0);

    final int percent;

    Text(int percent) {
      this.percent = percent;
    }
  }

  private static IndexWriter writer(Directory directory, Codec codec) throws IOException {
    return new IndexWriter(
        directory,
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(codec)
            .setMergePolicy(NoMergePolicy.INSTANCE));
  }

  private static List<Document> documents(int count) {
    Random random = new Random(count);
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Document document = new Document();
      for (Text text : Text.values()) {
        if (random.nextInt(100) < text.percent) {
          String words = "word ".repeat(random.nextInt(300)) + "w" + random.nextInt(50);
          document.add(new TextField(text.name(), words, Field.Store.NO));
        }
      }
      documents.add(document);
    }
    return documents;
  }

  /** All that norms say, in either way of asking, and what comes of them. */
  private static List<String> told(DirectoryReader reader) throws IOException {
    List<String> told = new ArrayList<>();
    IndexSearcher searcher = new IndexSearcher(reader);
    for (Text text : Text.values()) {
      for (LeafReaderContext leaf : reader.leaves()) {
        told.addAll(norms(leaf, text.name()));
      }
      for (Query query :
          List.of(new TermQuery(new Term(text.name(), "w7")), new FieldExistsQuery(text.name()))) {
        for (ScoreDoc hit : searcher.search(query, Math.max(1, reader.maxDoc())).scoreDocs) {
          told.add(query + " " + hit.doc + " " + hit.score);
        }
      }
    }
    return told;
  }

  private static List<String> norms(LeafReaderContext leaf, String field) throws IOException {
    List<String> told = new ArrayList<>();
    NumericDocValues asked = leaf.reader().getNormValues(field);
    if (asked == null) {
      return List.of(field + " has none");
    }
    told.add(field + " " + asked.cost());
    for (int document = 0; document < leaf.reader().maxDoc(); document++) {
      if (asked.advanceExact(document)) {
        told.add(field + " " + document + " " + asked.docID() + " " + asked.longValue());
      }
    }
    NumericDocValues walked = leaf.reader().getNormValues(field);
    while (walked.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
      told.add(field + " " + walked.docID() + " " + walked.longValue());
    }
    NumericDocValues leapt = leaf.reader().getNormValues(field);
    for (int next = leapt.advance(0);
        next != DocIdSetIterator.NO_MORE_DOCS && next + 3 < leaf.reader().maxDoc();
        next = leapt.advance(next + 3)) {
      told.add(field + " " + next + " " + leapt.docID() + " " + leapt.longValue());
    }
    return told;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3_000})
  void anIndexIsTheOneThatLucenesCodecMakes(int count) throws IOException {
    List<Document> documents = documents(count);
    try (Directory ours = new ByteBuffersDirectory();
        Directory lucenes = new ByteBuffersDirectory();
        IndexWriter writing = writer(ours, new SparseNormsCodec());
        IndexWriter expected = writer(lucenes, Codec.getDefault())) {
      for (int half = 0; half < 2; half++) { // two segments
        writing.addDocuments(documents);
        expected.addDocuments(documents);
        writing.commit();
        expected.commit();
      }
      assertSame(writing, expected);
      writing.getConfig().setMergePolicy(new TieredMergePolicy());
      expected.getConfig().setMergePolicy(new TieredMergePolicy());
      writing.forceMerge(1);
      expected.forceMerge(1);
      writing.commit();
      expected.commit();
      assertSame(writing, expected);
    }
  }

  @Test
  void whatSomeDocumentsLackIsLookedUpAndWhatAllHaveIsLeftToLucene() throws IOException {
    try (Directory ours = new ByteBuffersDirectory();
        IndexWriter writing = writer(ours, new SparseNormsCodec())) {
      writing.addDocuments(documents(500));
      writing.commit();
      try (DirectoryReader live = DirectoryReader.open(writing);
          DirectoryReader lucenes = DirectoryReader.open(ours)) {
        for (Text text : List.of(Text.ALL, Text.SOME, Text.FEW)) {
          Class<?> lucene = asked(lucenes, text);
          assertThat(asked(live, text) == lucene).as(text.name()).isEqualTo(text == Text.ALL);
        }
      }
    }
  }

  private static Class<?> asked(DirectoryReader reader, Text text) throws IOException {
    return reader.leaves().getFirst().reader().getNormValues(text.name()).getClass();
  }

  private static void assertSame(IndexWriter writing, IndexWriter expected) throws IOException {
    try (DirectoryReader lucenes = DirectoryReader.open(expected);
        DirectoryReader live = DirectoryReader.open(writing);
        DirectoryReader reopened = DirectoryReader.open(writing.getDirectory())) {
      List<String> wanted = told(lucenes);
      assertThat(told(live)).isEqualTo(wanted);
      assertThat(told(reopened)).isEqualTo(wanted);
      assertThat(reopened.leaves()).hasSameSizeAs(lucenes.leaves());
    }
  }
}
