package io.uniserve.textindex;

import java.io.IOException;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.util.BytesRef;

/**
 * The ids of a segment's documents, one after another in the order of the documents. They are
 * indexed beside what ids are sorted by: to find an id by its place in that order, Lucene decodes
 * up to 64 others, which takes longer than to find a rare word.
 */
final class DocumentIds {
  /** No field of a schema has this name, or a pattern that it matches. */
  static final String FIELD = "(id)";

  private final Values values;

  private DocumentIds(Values values) {
    this.values = values;
  }

  private interface Values {
    BytesRef of(int document) throws IOException;
  }

  /** What is indexed of an id. */
  static IndexableField of(String id) {
    return new BinaryDocValuesField(FIELD, new BytesRef(id));
  }

  /** Of a segment's documents. */
  static DocumentIds of(LeafReader segment) throws IOException {
    BinaryDocValues ids = segment.getBinaryDocValues(FIELD);
    return new DocumentIds(
        ids == null
            ? sorted(segment)
            : document -> {
              ids.advanceExact(document);
              return ids.binaryValue();
            });
  }

  /** Of a segment that was written when ids were only indexed to sort by them. */
  private static Values sorted(LeafReader segment) throws IOException {
    SortedDocValues ids = DocValues.unwrapSingleton(DocValues.getSortedSet(segment, SortKey.ID));
    return document -> {
      ids.advanceExact(document);
      return ids.lookupOrd(ids.ordValue());
    };
  }

  /**
   * The id of a document, which comes after those that were asked for before.
   *
   * @return valid until the next is asked for
   */
  BytesRef of(int document) throws IOException {
    return values.of(document);
  }
}
