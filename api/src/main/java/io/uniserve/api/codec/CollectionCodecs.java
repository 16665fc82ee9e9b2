package io.uniserve.api.codec;

import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The codecs of containers. Counts are bounded by the bytes at hand, since every element takes at
 * least one.
 */
final class CollectionCodecs {
  private CollectionCodecs() {}

  @SuppressWarnings("unchecked")
  private static Codec<Object> element(Codec<?> codec) {
    return (Codec<Object>) codec;
  }

  private static void writeElement(Codec<?> codec, Object value, Encoder out) {
    if (value == null && codec != DocumentCodec.INSTANCE) {
      throw UniserveException.invalid(
          "a null element in a container of other values than documents");
    }
    element(codec).write(value, out);
  }

  record ListCodec<E>(Codec<?> of) implements Codec<List<E>> {
    @Override
    public void write(List<E> list, Encoder out) {
      out.enter();
      out.writeUnsigned(list.size());
      for (E value : list) {
        int before = out.size();
        writeElement(of, value, out);
        padEmpty(out, before);
      }
      out.leave();
    }

    @Override
    @SuppressWarnings("unchecked")
    public List<E> read(Decoder in) {
      in.enter();
      int count = in.readLength();
      List<E> list = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int before = in.remaining();
        list.add((E) element(of).read(in));
        skipPadding(in, before);
      }
      in.leave();
      return Collections.unmodifiableList(list);
    }
  }

  record SortedSetCodec<E>(Codec<?> of) implements Codec<SortedSet<E>> {
    @Override
    public void write(SortedSet<E> set, Encoder out) {
      new ListCodec<E>(of).write(List.copyOf(set), out);
    }

    @Override
    public SortedSet<E> read(Decoder in) {
      List<E> elements = new ListCodec<E>(of).read(in);
      SortedSet<E> set = new TreeSet<>(elements);
      if (set.size() < elements.size()) {
        throw Decoder.corrupt("an element of a set twice");
      }
      return Collections.unmodifiableSortedSet(set);
    }
  }

  record OptionalCodec<E>(Codec<?> of) implements Codec<Optional<E>> {
    @Override
    public void write(Optional<E> value, Encoder out) {
      out.writeBoolean(value.isPresent());
      value.ifPresent(present -> writeElement(of, present, out));
    }

    @Override
    @SuppressWarnings("unchecked")
    public Optional<E> read(Decoder in) {
      if (!in.readBoolean()) {
        return Optional.empty();
      }
      E value = (E) element(of).read(in);
      if (value == null) {
        throw Decoder.corrupt("a null that is said to be present");
      }
      return Optional.of(value);
    }
  }

  record MapCodec<K, V>(Codec<?> keys, Codec<?> values) implements Codec<Map<K, V>> {
    @Override
    public void write(Map<K, V> map, Encoder out) {
      out.enter();
      out.writeUnsigned(map.size());
      map.forEach(
          (key, value) -> {
            int before = out.size();
            writeElement(keys, key, out);
            writeElement(values, value, out);
            padEmpty(out, before);
          });
      out.leave();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Map<K, V> read(Decoder in) {
      in.enter();
      int count = in.readLength();
      Map<K, V> map = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        int before = in.remaining();
        K key = (K) element(keys).read(in);
        map.put(key, (V) element(values).read(in));
        skipPadding(in, before);
      }
      if (map.size() < count) {
        throw Decoder.corrupt("a key of a map twice");
      }
      in.leave();
      return Collections.unmodifiableMap(map);
    }
  }

  /**
   * Writes a byte for an element that took none, so that the bytes at hand bound the number of
   * elements.
   */
  private static void padEmpty(Encoder out, int before) {
    if (out.size() == before) {
      out.writeByte(0);
    }
  }

  private static void skipPadding(Decoder in, int before) {
    if (in.remaining() == before) {
      in.readByte();
    }
  }
}
