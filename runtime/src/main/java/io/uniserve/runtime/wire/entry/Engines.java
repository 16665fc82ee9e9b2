package io.uniserve.runtime.wire.entry;

import io.uniserve.api.Engine;
import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The engines of one process, by name, each with the types that it lets cross the wire. */
public final class Engines {
  private record Entry(Engine<?> engine, Form form) {}

  private final Map<String, Entry> byName = new TreeMap<>();
  private final LogEntryCodec logEntries = new LogEntryCodec(this);

  /**
   * @throws IllegalArgumentException if two engines have one name, or an engine lists a type that
   *     has no codec
   */
  public Engines(Collection<? extends Engine<?>> engines) {
    for (Engine<?> engine : engines) {
      Form form =
          new Form(
              "values of engine " + engine.name(),
              1,
              engine.typesVersion(),
              TypeRegistry.of(engine.types()));
      if (byName.put(engine.name(), new Entry(engine, form)) != null) {
        throw new IllegalArgumentException("two engines are named " + engine.name());
      }
    }
  }

  /** Returns the names, in order. */
  public Set<String> names() {
    return byName.keySet();
  }

  /**
   * Returns the engine of this name.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}
   */
  public Engine<?> engine(String name) {
    return entry(name).engine;
  }

  /** Returns the types that the engine of this name lets cross the wire. */
  public TypeRegistry types(String name) {
    return form(name).types();
  }

  /** Returns the form of those types, with its version. */
  Form form(String name) {
    return entry(name).form;
  }

  /** Returns the form of log entries whose payloads are of these engines' types. */
  public LogEntryCodec logEntries() {
    return logEntries;
  }

  private Entry entry(String name) {
    Entry entry = byName.get(name);
    if (entry == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "there is no engine '" + name + "'; this process has " + names());
    }
    return entry;
  }
}
