package io.uniserve.textindex.document;

import io.uniserve.textindex.schema.SortKey;
import java.io.IOException;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.util.BytesRef;

/**
 * The ids of a segment's documents. They are indexed beside what ids are sorted by: to find an id
 * by its place in that order, Lucene decodes up to 64 others, which takes longer than to find a
 * rare word. Used by one thread.
 */
public final class DocumentIds {
  /** No field of a schema has this name, or a pattern that it matches. */
  static final String FIELD = "(id)";

  private final LeafReader segment;
  private Values values;

  /** Behind all documents, so that values are opened for the first. */
  private int last = Integer.MAX_VALUE;

  public DocumentIds(LeafReader segment) {
    this.segment = segment;
  }

  /** Are read in the order of the documents. */
  private interface Values {
    BytesRef of(int document) throws IOException;
  }

  /** What is indexed of an id. */
  static IndexableField field(String id) {
    return new BinaryDocValuesField(FIELD, new BytesRef(id));
  }

  /**
   * The id of a document; faster if it comes after the one that was asked for before.
   *
   * @return valid until the next is asked for
   */
  public BytesRef of(int document) throws IOException {
    if (document < last) {
      values = open();
    }
    last = document;
    return values.of(document);
  }

  private Values open() throws IOException {
    BinaryDocValues ids = segment.getBinaryDocValues(FIELD);
    return ids == null
        ? sorted()
        : document -> {
          ids.advanceExact(document);
          return ids.binaryValue();
        };
  }

  /** For a segment that was written when ids were only indexed to sort by them. */
  private Values sorted() throws IOException {
    SortedDocValues ids = DocValues.unwrapSingleton(DocValues.getSortedSet(segment, SortKey.ID));
    return document -> {
      ids.advanceExact(document);
      return ids.lookupOrd(ids.ordValue());
    };
  }
}
