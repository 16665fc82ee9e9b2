package io.uniserve.druidtests;

import com.google.inject.Binder;
import com.google.inject.Provides;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.lookup.Lookup;
import io.uniserve.engines.olap.query.DruidClient;
import java.io.IOException;
import org.apache.druid.guice.LazySingleton;
import org.apache.druid.initialization.DruidModule;
import org.apache.druid.query.QuerySegmentWalker;
import org.apache.druid.query.lookup.LookupExtractor;
import org.apache.druid.query.lookup.LookupExtractorFactoryContainerProvider;
import org.apache.druid.server.SpecificSegmentsQuerySegmentWalker;
import org.apache.druid.sql.calcite.util.DruidModuleCollection;
import org.apache.druid.sql.calcite.util.SqlTestFramework.QueryComponentSupplier;
import org.apache.druid.sql.calcite.util.SqlTestFramework.QueryComponentSupplierDelegate;

/**
 * The components of a test of Druid's, but for one: queries go to Uniserve's client and its actors.
 * Planner, catalog and the segments that tables are made of are those of the test.
 */
final class ActorComponents extends QueryComponentSupplierDelegate {
  private final SuiteTables tables;

  ActorComponents(QueryComponentSupplier druids, int actors) {
    super(druids);
    tables = new SuiteTables(actors, druids.getTempDirProducer().newTempFolder("actors").toPath());
  }

  @Override
  public DruidModule getOverrideModule() {
    return DruidModuleCollection.of(super.getOverrideModule(), new Walking(tables));
  }

  @Override
  public void close() throws IOException {
    tables.close();
    super.close();
  }

  /** The binding of the walker. */
  private record Walking(SuiteTables tables) implements DruidModule {
    @Override
    public void configure(Binder binder) {}

    @Provides
    @LazySingleton
    QuerySegmentWalker walker(
        SpecificSegmentsQuerySegmentWalker tested,
        LookupExtractorFactoryContainerProvider lookups) {
      tables.use(tested);
      Druid.get()
          .lookups()
          .learn(lookups.getAllLookupNames().stream().map(name -> lookup(name, lookups)).toList());
      return new DruidClient(tables).walker();
    }

    private static Lookup lookup(String name, LookupExtractorFactoryContainerProvider lookups) {
      LookupExtractor values = lookups.get(name).orElseThrow().getLookupExtractorFactory().get();
      return new Lookup(name, "v1", values.isOneToOne(), values.asMap());
    }
  }
}
