package io.uniserve.textindex.document;

import io.uniserve.textindex.schema.SortKey;
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

/** The ids of an index's documents, in the order of their bytes. */
public final class Ids {
  /** The number of ids whose documents are deleted at a time. */
  private static final int BATCH = 1_000;

  /** The number of ids that are sampled for the middle one. */
  private static final int SAMPLE = 10_000;

  private Ids() {}

  /** Deletes the documents whose ids are not kept. */
  public static void deleteOthers(IndexWriter writer, Predicate<String> kept) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      List<Term> others = new ArrayList<>(BATCH);
      for (LeafReaderContext leaf : reader.leaves()) {
        TermsEnum ids = ids(leaf);
        for (BytesRef id = ids.next(); id != null; id = ids.next()) {
          if (!kept.test(id.utf8ToString())) {
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

  /** Returns an id that about half of the ids come before; empty if there are fewer than two. */
  public static Optional<String> middle(IndexReader reader) throws IOException {
    int step = 1 + reader.numDocs() / SAMPLE;
    List<BytesRef> sample = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      TermsEnum ids = ids(leaf);
      int place = 0;
      for (BytesRef id = ids.next(); id != null; id = ids.next()) {
        if (place++ % step == 0) {
          sample.add(BytesRef.deepCopyOf(id));
        }
      }
    }
    List<BytesRef> sorted = sample.stream().distinct().sorted().toList();
    return sorted.size() < 2
        ? Optional.empty()
        : Optional.of(sorted.get(sorted.size() / 2).utf8ToString());
  }

  private static TermsEnum ids(LeafReaderContext leaf) throws IOException {
    Terms terms = leaf.reader().terms(SortKey.ID);
    return terms == null ? TermsEnum.EMPTY : terms.iterator();
  }
}
