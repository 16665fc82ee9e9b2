package io.uniserve.api.codec;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The codec of a sealed interface. It writes the {@link Name} of the record or enum, then its
 * value.
 */
final class SealedCodec implements Codec<Object> {
  private final Class<?> type;
  private final Map<String, Codec<Object>> byName = new LinkedHashMap<>();
  private final Map<Class<?>, String> names = new LinkedHashMap<>();

  SealedCodec(Class<?> type) {
    this.type = type;
  }

  void resolve(TypeResolver resolver, String where) {
    addLeaves(type, resolver, where);
  }

  @SuppressWarnings("unchecked")
  private void addLeaves(Class<?> parent, TypeResolver resolver, String where) {
    for (Class<?> child : parent.getPermittedSubclasses()) {
      if (child.isSealed() && !child.isEnum()) {
        addLeaves(child, resolver, where);
      } else if (names.putIfAbsent(child, Names.of(child)) == null) {
        Codec<Object> codec = (Codec<Object>) resolver.codecOf(child, where);
        if (byName.put(Names.of(child), codec) != null) {
          throw new IllegalArgumentException(
              type.getName() + " has two leaves named " + Names.of(child));
        }
      }
    }
  }

  @Override
  public void write(Object value, Encoder out) {
    String name = names.get(TypeRegistry.classOf(value));
    if (name == null) {
      throw UniserveException.invalid(
          value.getClass().getName() + " is not a " + type.getSimpleName());
    }
    out.writeString(name);
    out.enter();
    byName.get(name).write(value, out);
    out.leave();
  }

  @Override
  public Object read(Decoder in) {
    String name = in.readString();
    Codec<Object> codec = byName.get(name);
    if (codec == null) {
      throw Decoder.corrupt("no " + type.getSimpleName() + " is named '" + name + "'");
    }
    in.enter();
    Object value = codec.read(in);
    in.leave();
    return value;
  }
}
