package io.uniserve.gateways.solr;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.surfaces.OutsideText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.solr.common.SolrInputDocument;
import org.apache.solr.common.util.DataInputInputStream;
import org.apache.solr.common.util.FastInputStream;
import org.apache.solr.common.util.JavaBinCodec;
import org.apache.solr.common.util.NamedList;

/**
 * The reader of updates in SolrJ's binary form: parameters, documents, then deletions. It allocates
 * no memory for a claimed size before the bytes are there.
 */
final class JavabinUpdates extends JavaBinCodec {
  private static final int ELEMENTS_MAX = 1 << 16;
  private static final int DEPTH_MAX = 32;

  private final int textBytesMax;
  private int depth;
  private int values;

  private JavabinUpdates(int textBytesMax, int values) {
    this.textBytesMax = textBytesMax;
    this.values = values;
  }

  static void read(byte[] body, Update update) {
    FastInputStream in = FastInputStream.wrap(new ByteArrayInputStream(body));
    try {
      int values = 0;
      while (in.peek() != -1) {
        JavabinUpdates codec = new JavabinUpdates(body.length, values);
        readUpdate((NamedList<?>) codec.unmarshal(in), update);
        values = codec.values;
      }
    } catch (UniserveException e) {
      throw e;
    } catch (IOException | RuntimeException | AssertionError e) {
      // The codec also throws assertion errors.
      throw UniserveException.invalid("malformed javabin: " + UniserveException.reason(e));
    }
  }

  private static void readUpdate(NamedList<?> parts, Update update) {
    if (parts.get("params") instanceof NamedList<?> parameters) {
      update.options(parameters.toSolrParams());
    }
    list(parts.get("docs")).forEach(document -> update.add(document(document)));
    for (Object entry : list(parts.get("docsMap"))) {
      Map.Entry<?, ?> documentAndOptions = (Map.Entry<?, ?>) entry;
      update.command((Map<?, ?>) documentAndOptions.getValue());
      update.add(document(documentAndOptions.getKey()));
    }
    if (parts.get("delByIdMap") instanceof Map<?, ?> ids) {
      ids.values().forEach(options -> update.command((Map<?, ?>) options));
      update.delete(List.copyOf(ids.keySet()));
    }
    list(parts.get("delByQ")).forEach(update::deleteMatching);
  }

  private static List<?> list(Object part) {
    return part == null ? List.of() : (List<?>) part;
  }

  private static Map<String, Object> document(Object decoded) {
    SolrInputDocument input = (SolrInputDocument) decoded;
    if (input.hasChildDocuments()) {
      throw UniserveException.invalid("documents in documents are not supported");
    }
    Map<String, Object> document = new LinkedHashMap<>();
    input.forEach((name, field) -> document.put(name, value(field.getValue())));
    return document;
  }

  private static Object value(Object value) {
    return switch (value) {
      case Date date -> date.toInstant().toString();
      case List<?> several -> several.stream().map(JavabinUpdates::value).toList();
      case null, default -> value;
    };
  }

  @Override
  protected Object readObject(DataInputInputStream in) throws IOException {
    if (tagByte == BYTEARR || tagByte == PRIMITIVE_ARR || ++depth > DEPTH_MAX) {
      throw UniserveException.invalid("javabin: binary values or nesting beyond " + DEPTH_MAX);
    }
    if (++values > Update.VALUES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "javabin: more than " + Update.VALUES_MAX + " values");
    }
    Object value = super.readObject(in);
    depth--;
    return value;
  }

  @Override
  public int readSize(DataInputInputStream in) throws IOException {
    int most = (tagByte & 0xe0) == STR ? textBytesMax : ELEMENTS_MAX;
    int size = super.readSize(in);
    if (size < 0 || size > most) {
      throw UniserveException.invalid("javabin: a size of " + size + ", at most " + most);
    }
    return size;
  }

  @Override
  public CharSequence readStr(DataInputInputStream in, StringCache cache, boolean asBytes)
      throws IOException {
    byte[] text = new byte[readSize(in)];
    in.readFully(text);
    return OutsideText.decode(text, StandardCharsets.UTF_8, "a text in javabin");
  }

  @Override
  protected Map<Object, Object> newMap(int size) {
    return new LinkedHashMap<>();
  }

  @Override
  protected SolrInputDocument createSolrInputDocument(int size) {
    return new SolrInputDocument();
  }
}
