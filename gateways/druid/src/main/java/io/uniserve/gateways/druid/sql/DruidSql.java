package io.uniserve.gateways.druid.sql;

import com.google.common.base.Suppliers;
import com.google.inject.Injector;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.query.DruidClient;
import java.util.HashMap;
import java.util.Map;
import org.apache.calcite.config.CalciteSystemProperty;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.druid.java.util.emitter.core.NoopEmitter;
import org.apache.druid.java.util.emitter.service.ServiceEmitter;
import org.apache.druid.math.expr.ExprMacroTable;
import org.apache.druid.query.DefaultGenericQueryMetricsFactory;
import org.apache.druid.query.DefaultQueryConfig;
import org.apache.druid.query.aggregation.datasketches.hll.HllSketchModule;
import org.apache.druid.query.aggregation.datasketches.quantiles.DoublesSketchModule;
import org.apache.druid.query.aggregation.datasketches.theta.SketchModule;
import org.apache.druid.segment.join.JoinableFactoryWrapper;
import org.apache.druid.server.QueryLifecycleFactory;
import org.apache.druid.server.QueryScheduler;
import org.apache.druid.server.initialization.ServerConfig;
import org.apache.druid.server.log.NoopRequestLogger;
import org.apache.druid.server.scheduling.ManualQueryPrioritizationStrategy;
import org.apache.druid.server.scheduling.NoQueryLaningStrategy;
import org.apache.druid.server.security.AllowAllAuthorizer;
import org.apache.druid.server.security.AuthConfig;
import org.apache.druid.server.security.AuthenticationResult;
import org.apache.druid.server.security.AuthorizerMapper;
import org.apache.druid.sql.SqlLifecycleManager;
import org.apache.druid.sql.SqlToolbox;
import org.apache.druid.sql.calcite.aggregation.SqlAggregationModule;
import org.apache.druid.sql.calcite.expression.builtin.QueryLookupOperatorConversion;
import org.apache.druid.sql.calcite.planner.CatalogResolver;
import org.apache.druid.sql.calcite.planner.DruidOperatorTable;
import org.apache.druid.sql.calcite.planner.PlannerConfig;
import org.apache.druid.sql.calcite.planner.PlannerFactory;
import org.apache.druid.sql.calcite.run.NativeSqlEngine;
import org.apache.druid.sql.calcite.schema.DruidSchemaCatalog;
import org.apache.druid.sql.calcite.schema.InformationSchema;
import org.apache.druid.sql.calcite.schema.NamedSchema;
import org.apache.druid.sql.guice.SqlBindings;
import org.apache.druid.sql.hook.DruidHookDispatcher;

/** Druid's SQL: its planner on the tables of a cluster, and native queries underneath. */
public final class DruidSql {
  private static final String DATASOURCES = "druid";
  private static final String SYSTEM = "sys";
  private static final String LOOKUPS = "lookup";
  private static final String INFORMATION = "INFORMATION_SCHEMA";

  /** The kind of resource that lookups are to Druid's planner. */
  public static final String LOOKUP_KIND = "LOOKUP";

  private static final String CHARSET = "UTF-16LE";

  /**
   * Every caller as Druid's planner sees it: who may read what is decided by the client that asks
   * the actors, and by the schema that shows tables.
   */
  public static final AuthenticationResult CALLER =
      new AuthenticationResult("caller", "everybody", null, Map.of());

  private final Injector injector;
  private final SqlToolbox toolbox;
  private final DruidClient druid;

  /**
   * Makes the planner.
   *
   * @param druid the client that runs native queries
   * @param tables the tables, as the caller may see them
   * @param lookups the lookups, as the caller may see them
   * @param system the tables of the cluster itself
   */
  public DruidSql(
      DruidClient druid, DatasourceSchema tables, LookupSchema lookups, SystemTables system) {
    this.druid = druid;
    requireCharset();
    Druid process = Druid.get();
    injector =
        process.injector(
            new SqlAggregationModule(),
            new HllSketchModule(),
            new SketchModule(),
            new DoublesSketchModule(),
            binder ->
                SqlBindings.addOperatorConversion(binder, QueryLookupOperatorConversion.class));
    AuthorizerMapper everybody =
        new AuthorizerMapper(Map.of("everybody", new AllowAllAuthorizer()));
    AuthConfig access = new AuthConfig();
    ServiceEmitter silent = new ServiceEmitter("olap", "localhost", new NoopEmitter());
    DruidOperatorTable operators = injector.getInstance(DruidOperatorTable.class);
    DruidSchemaCatalog catalog = catalog(tables, lookups, system, everybody, operators);
    PlannerFactory planner =
        new PlannerFactory(
            catalog,
            operators,
            injector.getInstance(ExprMacroTable.class),
            new PlannerConfig(),
            everybody,
            process.json(),
            DATASOURCES,
            new PlannerRules(catalog.getRootSchema()),
            injector.getInstance(JoinableFactoryWrapper.class),
            new CatalogResolver.NullCatalogResolver(),
            access,
            new DruidHookDispatcher());
    QueryLifecycleFactory queries =
        new QueryLifecycleFactory(
            process.clientKinds(),
            druid.walker(),
            DefaultGenericQueryMetricsFactory.instance(),
            silent,
            new NoopRequestLogger(),
            access,
            everybody,
            Suppliers.ofInstance(new DefaultQueryConfig(Map.of())));
    toolbox =
        new SqlToolbox(
            new NativeSqlEngine(queries, process.json()),
            planner,
            silent,
            new NoopRequestLogger(),
            new QueryScheduler(
                0,
                ManualQueryPrioritizationStrategy.INSTANCE,
                new NoQueryLaningStrategy(),
                new ServerConfig()),
            new DefaultQueryConfig(Map.of()),
            new SqlLifecycleManager());
  }

  /**
   * Has Calcite read its settings from Druid's jar. It looks for them through the thread's class
   * loader, and once only; without them it would refuse to compare texts of two charsets.
   */
  private static void requireCharset() {
    Thread thread = Thread.currentThread();
    ClassLoader former = thread.getContextClassLoader();
    thread.setContextClassLoader(DruidSql.class.getClassLoader());
    try {
      String charset = CalciteSystemProperty.DEFAULT_CHARSET.value();
      if (!charset.equals(CHARSET)) {
        throw new IllegalStateException(
            "Calcite has the charset " + charset + ", and Druid needs " + CHARSET);
      }
    } finally {
      thread.setContextClassLoader(former);
    }
  }

  private static DruidSchemaCatalog catalog(
      DatasourceSchema tables,
      LookupSchema lookups,
      SystemTables system,
      AuthorizerMapper everybody,
      DruidOperatorTable operators) {
    SchemaPlus root = CalciteSchema.createRootSchema(false, false).plus();
    Map<String, NamedSchema> named = new HashMap<>();
    DruidSchemaCatalog catalog = new DruidSchemaCatalog(root, named);
    root.add(DATASOURCES, tables);
    root.add(LOOKUPS, lookups);
    root.add(INFORMATION, new InformationSchema(catalog, everybody, operators));
    root.add(SYSTEM, system);
    named.put(DATASOURCES, new Named(DATASOURCES, "DATASOURCE", tables));
    named.put(LOOKUPS, new Named(LOOKUPS, LOOKUP_KIND, lookups));
    named.put(SYSTEM, new Named(SYSTEM, "SYSTEM_TABLE", system));
    return catalog;
  }

  /** A schema by its name, and what its tables are to Druid. */
  private record Named(String name, String kind, org.apache.calcite.schema.Schema schema)
      implements NamedSchema {
    @Override
    public String getSchemaName() {
      return name;
    }

    @Override
    public String getSchemaResourceType(String table) {
      return kind;
    }

    @Override
    public org.apache.calcite.schema.Schema getSchema() {
      return schema;
    }
  }

  /** Prepares for a statement: it finds the lookups that the cluster has now. */
  public void prepare(String statement) {
    druid.readLookups(statement);
  }

  /** Returns what statements need. */
  public SqlToolbox toolbox() {
    return toolbox;
  }

  Injector injector() {
    return injector;
  }
}
