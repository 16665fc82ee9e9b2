package io.uniserve.engines.search;

import io.uniserve.api.PartitionKey;
import io.uniserve.textindex.SortKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * The ids of an index, each of which is its document's partition key.
 *
 * @param kept those whose documents stay
 */
record Ids(Predicate<PartitionKey> kept) {
  /** Ids whose documents are deleted at a time. */
  private static final int BATCH = 1_000;

  /** Ids that are looked at for the middle one of all. */
  private static final int SAMPLE = 10_000;

  /** Deletes the documents of all other ids. */
  void deleteOthers(IndexWriter writer) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      List<Term> others = new ArrayList<>(BATCH);
      for (LeafReaderContext leaf : reader.leaves()) {
        TermsEnum ids = ids(leaf);
        for (BytesRef id = ids.next(); id != null; id = ids.next()) {
          if (!kept.test(key(id))) {
            others.add(new Term(SortKey.ID, BytesRef.deepCopyOf(id)));
          }
          if (others.size() == BATCH) {
            writer.deleteDocuments(others.toArray(Term[]::new));
            others.clear();
          }
        }
      }
      writer.deleteDocuments(others.toArray(Term[]::new));
    }
  }

  /** About half of the ids come before this one; empty if there are no two. */
  static Optional<PartitionKey> middle(IndexReader reader) throws IOException {
    int step = 1 + reader.numDocs() / SAMPLE;
    List<PartitionKey> sample = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      TermsEnum ids = ids(leaf);
      int place = 0;
      for (BytesRef id = ids.next(); id != null; id = ids.next()) {
        if (place++ % step == 0) {
          sample.add(key(id));
        }
      }
    }
    List<PartitionKey> sorted = sample.stream().distinct().sorted().toList();
    return sorted.size() < 2 ? Optional.empty() : Optional.of(sorted.get(sorted.size() / 2));
  }

  private static TermsEnum ids(LeafReaderContext leaf) throws IOException {
    Terms terms = leaf.reader().terms(SortKey.ID);
    return terms == null ? TermsEnum.EMPTY : terms.iterator();
  }

  private static PartitionKey key(BytesRef id) {
    return PartitionKey.of(id.utf8ToString());
  }
}
