package io.uniserve.engines.search;

import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.form.Name;
import io.uniserve.textindex.schema.SortKey;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The bytes of some documents, one after another. */
final class DocumentBlock {
  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(Shown.class));

  /**
   * A document as it is shown.
   *
   * @param fields its id and fields by name
   */
  @Name("Shown")
  record Shown(Object fields) {}

  private DocumentBlock() {}

  /** A writer of a block. */
  static final class Writer {
    private final Encoder out = new Encoder();
    private long count;

    void add(String id, Map<String, Object> fields) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put(SortKey.ID, id);
      document.putAll(fields);
      TYPES.write(new Shown(document), out);
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

  /** Passes on the documents of a block. */
  @SuppressWarnings("unchecked")
  static void read(ByteBuffer block, Consumer<Map<String, Object>> documents) {
    Decoder in = new Decoder(block.duplicate());
    while (in.remaining() > 0) {
      documents.accept((Map<String, Object>) ((Shown) TYPES.read(in)).fields());
    }
  }
}
