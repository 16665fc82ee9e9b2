package io.uniserve.engines.search;

import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.form.Name;
import io.uniserve.textindex.SortedPages;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** The bytes of some documents with their sort values, one after another. */
final class SortedBlock {
  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(Sorted.class));

  /**
   * A document with its sort values.
   *
   * @param key the sort values
   * @param fields its fields by name
   */
  @Name("Sorted")
  record Sorted(List<Object> key, Object fields) {}

  private SortedBlock() {}

  /** A writer of a block. */
  static final class Writer {
    private final Encoder out = new Encoder();
    private long count;

    void add(SortedPages.Row row) {
      TYPES.write(new Sorted(row.key(), row.fields()), out);
      count++;
    }

    long count() {
      return count;
    }

    int sizeBytes() {
      return out.size();
    }

    ByteBuffer bytes() {
      return out.toByteBuffer();
    }
  }

  /** Returns the documents of a block. */
  static Iterator<SortedPages.Row> read(ByteBuffer block) {
    Decoder in = new Decoder(block.duplicate());
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return in.remaining() > 0;
      }

      @Override
      @SuppressWarnings("unchecked")
      public SortedPages.Row next() {
        if (!hasNext()) {
          throw new NoSuchElementException("the block has ended");
        }
        Sorted sorted = (Sorted) TYPES.read(in);
        return new SortedPages.Row(sorted.key(), (Map<String, Object>) sorted.fields());
      }
    };
  }
}
