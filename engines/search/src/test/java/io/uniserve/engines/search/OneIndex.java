package io.uniserve.engines.search;

import io.uniserve.textindex.BoundRequest;
import io.uniserve.textindex.document.DocumentMapper;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.request.SearchRequest;
import io.uniserve.textindex.schema.SearchSchema;
import io.uniserve.textindex.schema.SortKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;

/** A single Lucene index with all documents, whose answers are the reference. */
final class OneIndex implements AutoCloseable {
  private final SearchSchema schema;
  private final DirectoryReader reader;
  private final IndexSearcher searcher;

  OneIndex(SearchSchema schema, List<Document> documents) throws IOException {
    this.schema = schema;
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    List<Document> shuffled = new ArrayList<>(documents);
    Collections.shuffle(shuffled, new Random(documents.size()));
    try (IndexWriter writer =
        new IndexWriter(
            directory, new IndexWriterConfig(schema.analyzer()).setMaxBufferedDocs(700))) {
      for (Document document : shuffled) {
        writer.addDocument(new DocumentMapper(schema).toLucene(document.id(), document.fields()));
      }
    }
    reader = DirectoryReader.open(directory);
    searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
  }

  /** A query of words alone, as Lucene's own parser reads it. */
  Query words(String query) throws ParseException {
    QueryParser parser = new QueryParser("text", new StandardAnalyzer());
    parser.setAllowLeadingWildcard(true);
    return parser.parse(query);
  }

  /** A query that needs the types of the schema. */
  Query typed(QueryText query) {
    return new BoundRequest(schema, SearchRequest.of(query)).matched();
  }

  int count(Query query) throws IOException {
    return searcher.count(query);
  }

  /** The best hits as {@code id score}, the score by its bits. */
  List<String> best(Query query, int count) throws IOException {
    Sort sort = new Sort(SortField.FIELD_SCORE, new SortedSetSortField(SortKey.ID, false));
    TopFieldDocs found = searcher.search(query, count, sort);
    List<String> best = new ArrayList<>();
    for (ScoreDoc each : found.scoreDocs) {
      FieldDoc hit = (FieldDoc) each;
      String id = ((BytesRef) hit.fields[1]).utf8ToString();
      best.add(line(id, (Float) hit.fields[0]));
    }
    return best;
  }

  static String line(String id, float score) {
    return id + " " + score + " " + Integer.toHexString(Float.floatToRawIntBits(score));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
