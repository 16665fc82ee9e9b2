package io.uniserve.api.codec;

import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The codec of record components that are declared {@code Object}. They hold JSON-like values (see
 * {@link io.uniserve.api.Planner}) or byte arrays. An {@link Integer} is written, and read back, as
 * a {@link Long}; a {@link Float} as a {@link Double}.
 */
final class DocumentCodec implements Codec<Object> {
  static final DocumentCodec INSTANCE = new DocumentCodec();

  private static final int NULL = 0;
  private static final int FALSE = 1;
  private static final int TRUE = 2;
  private static final int LONG = 3;
  private static final int DOUBLE = 4;
  private static final int STRING = 5;
  private static final int LIST = 6;
  private static final int MAP = 7;
  private static final int BYTES = 8;

  private DocumentCodec() {}

  @Override
  public void write(Object value, Encoder out) {
    switch (value) {
      case null -> out.writeByte(NULL);
      case Boolean flag -> out.writeByte(flag ? TRUE : FALSE);
      case Integer number -> writeLong(number, out);
      case Long number -> writeLong(number, out);
      case Float number -> writeDouble(number, out);
      case Double number -> writeDouble(number, out);
      case String text -> {
        out.writeByte(STRING);
        out.writeString(text);
      }
      case List<?> list -> {
        out.enter();
        out.writeByte(LIST);
        out.writeUnsigned(list.size());
        list.forEach(element -> write(element, out));
        out.leave();
      }
      case Map<?, ?> map -> {
        out.enter();
        out.writeByte(MAP);
        out.writeUnsigned(map.size());
        map.forEach((key, element) -> writeEntry(key, element, out));
        out.leave();
      }
      case byte[] bytes -> {
        out.writeByte(BYTES);
        out.writeBytes(bytes);
      }
      default ->
          throw UniserveException.invalid("a " + value.getClass().getName() + " is not a document");
    }
  }

  @Override
  public Object read(Decoder in) {
    int tag = in.readByte();
    return switch (tag) {
      case NULL -> null;
      case FALSE -> false;
      case TRUE -> true;
      case LONG -> in.readLong();
      case DOUBLE -> in.readDouble();
      case STRING -> in.readString();
      case LIST -> readList(in);
      case MAP -> readMap(in);
      case BYTES -> in.readBytes();
      default -> throw Decoder.corrupt("document tag " + tag);
    };
  }

  private void writeEntry(Object key, Object element, Encoder out) {
    if (!(key instanceof String name)) {
      throw UniserveException.invalid("a document's keys are strings, not " + key);
    }
    out.writeString(name);
    write(element, out);
  }

  private static void writeLong(long number, Encoder out) {
    out.writeByte(LONG);
    out.writeLong(number);
  }

  private static void writeDouble(double number, Encoder out) {
    out.writeByte(DOUBLE);
    out.writeDouble(number);
  }

  private List<Object> readList(Decoder in) {
    in.enter();
    int count = in.readLength();
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(read(in));
    }
    in.leave();
    return list;
  }

  private Map<String, Object> readMap(Decoder in) {
    in.enter();
    int count = in.readCount(2);
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      map.put(in.readString(), read(in));
    }
    if (map.size() < count) {
      throw Decoder.corrupt("a key of a document twice");
    }
    in.leave();
    return map;
  }
}
