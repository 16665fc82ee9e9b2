package io.uniserve.engines.olap.lookup;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.druid.query.lookup.LookupExtractorFactoryContainer;
import org.apache.druid.query.lookup.LookupExtractorFactoryContainerProvider;
import org.apache.druid.query.lookup.MapLookupExtractorFactory;

/**
 * The lookups that Druid's code finds by name. A client finds those that it has read last. An actor
 * finds those that came with the question it answers, so all actors answer with the same ones.
 */
public final class Lookups implements LookupExtractorFactoryContainerProvider {
  private static final ScopedValue<Map<String, LookupExtractorFactoryContainer>> SENT =
      ScopedValue.newInstance();

  private volatile Known known = new Known(Map.of(), Map.of());

  /** The lookups that a client has read last, also as Druid wants to see them. */
  private record Known(
      Map<String, Lookup> lookups, Map<String, LookupExtractorFactoryContainer> containers) {}

  private static Map<String, LookupExtractorFactoryContainer> containers(
      Collection<Lookup> lookups) {
    Map<String, LookupExtractorFactoryContainer> containers = new TreeMap<>();
    for (Lookup each : lookups) {
      // Druid asks for a null key, too.
      Map<String, String> values = new LinkedHashMap<>(each.values());
      containers.put(
          each.name(),
          new LookupExtractorFactoryContainer(
              each.version(), new MapLookupExtractorFactory(values, each.oneToOne())));
    }
    return containers;
  }

  /** Runs work of an actor that finds these lookups and no others. */
  public static void with(List<Lookup> sent, Runnable work) {
    ScopedValue.where(SENT, containers(sent)).run(work);
  }

  /** Replaces the lookups that this process knows as a client. */
  public void learn(Collection<Lookup> all) {
    Map<String, Lookup> lookups = new TreeMap<>();
    all.forEach(each -> lookups.put(each.name(), each));
    known = new Known(lookups, containers(all));
  }

  /** Returns the versions of the known lookups by name. */
  public Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    known.lookups.forEach((name, each) -> versions.put(name, each.version()));
    return versions;
  }

  /** Returns the known lookups whose names are in the text of a query. */
  public List<Lookup> namedIn(String text) {
    return known.lookups.values().stream().filter(each -> text.contains(each.name())).toList();
  }

  private Map<String, LookupExtractorFactoryContainer> found() {
    return SENT.isBound() ? SENT.get() : known.containers;
  }

  @Override
  public Set<String> getAllLookupNames() {
    return found().keySet();
  }

  @Override
  public Optional<LookupExtractorFactoryContainer> get(String name) {
    return Optional.ofNullable(found().get(name));
  }

  @Override
  public String getCanonicalLookupName(String name) {
    return name;
  }
}
