package io.uniserve.bench.bare;

import io.uniserve.bench.answers.Answer;
import io.uniserve.bench.answers.Answer.Hit;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.store.FSDirectory;

/**
 * Several Lucene indexes searched as one, by the calling thread alone, without a query cache. Every
 * query counts its matches exactly, as the systems under comparison do. The class is thread-safe.
 */
final class BareIndexes implements Closeable {

  private static final String ID_FIELD = "id";

  private final IndexReader reader;
  private final IndexSearcher searcher;

  private BareIndexes(IndexReader reader) {
    this.reader = reader;
    this.searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
  }

  static BareIndexes open(List<Path> directories) throws IOException {
    List<IndexReader> readers = new ArrayList<>();
    for (Path directory : directories) {
      readers.add(DirectoryReader.open(FSDirectory.open(directory)));
    }
    return new BareIndexes(new MultiReader(readers.toArray(IndexReader[]::new), true));
  }

  int documents() {
    return reader.numDocs();
  }

  int segments() {
    return reader.leaves().size();
  }

  /**
   * @param rows the number of documents to return; with 0 the matches are only counted
   */
  Answer answer(Query query, int rows) throws IOException {
    if (rows == 0) {
      return new Answer(searcher.count(query), List.of());
    }
    TopDocs top = searcher.search(query, new TopScoreDocCollectorManager(rows, Integer.MAX_VALUE));
    List<Hit> hits = new ArrayList<>(top.scoreDocs.length);
    for (ScoreDoc hit : top.scoreDocs) {
      hits.add(new Hit(id(hit.doc), hit.score));
    }
    return new Answer(top.totalHits.value(), hits);
  }

  private String id(int document) throws IOException {
    List<LeafReaderContext> leaves = reader.leaves();
    LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(document, leaves));
    SortedSetDocValues ids = DocValues.getSortedSet(leaf.reader(), ID_FIELD);
    if (!ids.advanceExact(document - leaf.docBase)) {
      throw new IllegalStateException("A document has no id");
    }
    return ids.lookupOrd(ids.nextOrd()).utf8ToString();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
