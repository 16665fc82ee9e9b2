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
 * The ids of a segment's documents. They are indexed in addition to the sort order of ids. To find
 * an id by its place in that order, Lucene decodes up to 64 others, which takes longer than finding
 * a rare word. Used by one thread.
 */
public final class DocumentIds {
  /** The internal field of ids, whose name no field or pattern of a schema matches. */
  static final String FIELD = "(id)";

  private final LeafReader segment;
  private Values values;

  /** The last document that was asked for; at first beyond all, so that values are opened. */
  private int last = Integer.MAX_VALUE;

  public DocumentIds(LeafReader segment) {
    this.segment = segment;
  }

  /** Values that are read in the order of the documents. */
  private interface Values {
    BytesRef of(int document) throws IOException;
  }

  /** Returns the indexed field of an id. */
  static IndexableField field(String id) {
    return new BinaryDocValuesField(FIELD, new BytesRef(id));
  }

  /**
   * Returns the id of a document. It is faster if the document comes after the previous one.
   *
   * @return the id, which is valid until the next call
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

  /** Returns the ids of an old segment, which has only their sort order. */
  private Values sorted() throws IOException {
    SortedDocValues ids = DocValues.unwrapSingleton(DocValues.getSortedSet(segment, SortKey.ID));
    return document -> {
      ids.advanceExact(document);
      return ids.lookupOrd(ids.ordValue());
    };
  }
}
