package io.uniserve.engines.olap.druid;

import java.util.Optional;
import java.util.Set;
import org.apache.druid.query.lookup.LookupExtractorFactoryContainer;
import org.apache.druid.query.lookup.LookupExtractorFactoryContainerProvider;

/** The registered lookups of a cluster, of which there are none: queries name them in vain. */
final class NoLookups implements LookupExtractorFactoryContainerProvider {
  @Override
  public Set<String> getAllLookupNames() {
    return Set.of();
  }

  @Override
  public Optional<LookupExtractorFactoryContainer> get(String name) {
    return Optional.empty();
  }

  @Override
  public String getCanonicalLookupName(String name) {
    return name;
  }
}
