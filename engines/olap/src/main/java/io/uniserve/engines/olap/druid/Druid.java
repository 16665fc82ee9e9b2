package io.uniserve.engines.olap.druid;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.smile.SmileFactory;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Module;
import io.uniserve.engines.olap.lookup.Lookups;
import java.util.ArrayList;
import java.util.List;
import org.apache.druid.guice.BuiltInTypesModule;
import org.apache.druid.guice.DruidSecondaryModule;
import org.apache.druid.jackson.DefaultObjectMapper;
import org.apache.druid.math.expr.ExpressionProcessing;
import org.apache.druid.query.QueryRunnerFactoryConglomerate;
import org.apache.druid.query.aggregation.datasketches.hll.HllSketchModule;
import org.apache.druid.query.aggregation.datasketches.quantiles.DoublesSketchModule;
import org.apache.druid.query.aggregation.datasketches.theta.SketchModule;
import org.apache.druid.query.lookup.LookupSerdeModule;
import org.apache.druid.segment.IndexIO;
import org.apache.druid.segment.IndexMergerV9;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.writeout.TmpFileSegmentWriteOutMediumFactory;

/**
 * The parts of Druid that a process has once: its JSON, its segments' files and its kinds of
 * queries. They are made when a table of this engine is first touched, so that a process without
 * such tables loads nothing of Druid.
 */
public final class Druid {
  /** The size of a buffer in which a query computes. */
  public static final int BUFFER_BYTES = MergeBuffers.SIZE_BYTES;

  private final ObjectMapper json = new DefaultObjectMapper();
  private final ObjectMapper smile = new DefaultObjectMapper(new SmileFactory(), null);
  private final Lookups lookups = new Lookups();
  private final Injector injector;
  private final QueryRunnerFactoryConglomerate actorKinds;
  private final QueryRunnerFactoryConglomerate clientKinds;
  private final IndexIO files;
  private final IndexMergerV9 merger;

  private Druid() {
    ExpressionProcessing.initializeForTests();
    BuiltInTypesModule.registerHandlersAndSerde();
    HllSketchModule.registerSerde();
    SketchModule.registerSerde();
    DoublesSketchModule.registerSerde();
    injector = Guice.createInjector(new Bindings(json, smile, lookups));
    for (ObjectMapper mapper : new ObjectMapper[] {json, smile}) {
      DruidSecondaryModule.setupJackson(injector, mapper);
      mapper.registerModules(BuiltInTypesModule.getJacksonModulesList());
      mapper.registerModules(new LookupSerdeModule().getJacksonModules());
      mapper.registerModules(new HllSketchModule().getJacksonModules());
      mapper.registerModules(new SketchModule().getJacksonModules());
      mapper.registerModules(new DoublesSketchModule().getJacksonModules());
    }
    actorKinds = QueryKinds.of(json, smile);
    clientKinds = QueryKinds.of(json, smile);
    files = new IndexIO(json, ColumnConfig.DEFAULT);
    merger = new IndexMergerV9(json, files, TmpFileSegmentWriteOutMediumFactory.instance());
  }

  /** The holder of the only instance, which is made when it is first asked for. */
  private static final class Only {
    static final Druid INSTANCE = new Druid();
  }

  /** Returns Druid's parts of this process. */
  public static Druid get() {
    return Only.INSTANCE;
  }

  /** Returns the mapper of JSON, which knows every type of Druid that is served. */
  public ObjectMapper json() {
    return json;
  }

  /** Returns the mapper of Smile, in which results travel. */
  public ObjectMapper smile() {
    return smile;
  }

  /** Returns an injector of its own for a part that needs more: these bindings and others. */
  public Injector injector(Module... more) {
    List<Module> modules = new ArrayList<>(List.of(more));
    modules.add(new Bindings(json, smile, lookups));
    return Guice.createInjector(modules);
  }

  /** Returns the bindings of Druid's injected values. */
  public Injector injector() {
    return injector;
  }

  /** Returns the lookups that this process knows. */
  public Lookups lookups() {
    return lookups;
  }

  /** Returns the kinds of queries as actors run them. */
  public QueryRunnerFactoryConglomerate actorKinds() {
    return actorKinds;
  }

  /** Returns the kinds of queries as a client merges them. */
  public QueryRunnerFactoryConglomerate clientKinds() {
    return clientKinds;
  }

  /** Returns the reader of segments. */
  public IndexIO files() {
    return files;
  }

  /** Returns the writer of segments. */
  public IndexMergerV9 merger() {
    return merger;
  }
}
