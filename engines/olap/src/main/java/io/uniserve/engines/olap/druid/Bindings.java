package io.uniserve.engines.olap.druid;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.inject.Binder;
import com.google.inject.Module;
import io.uniserve.engines.olap.lookup.Lookups;
import java.util.Map;
import java.util.Set;
import org.apache.druid.guice.DruidScopes;
import org.apache.druid.guice.ExpressionModule;
import org.apache.druid.guice.LazySingleton;
import org.apache.druid.guice.annotations.Json;
import org.apache.druid.guice.annotations.Smile;
import org.apache.druid.js.JavaScriptConfig;
import org.apache.druid.query.FrameBasedInlineDataSource;
import org.apache.druid.query.InlineDataSource;
import org.apache.druid.query.LookupDataSource;
import org.apache.druid.query.aggregation.datasketches.hll.sql.HllPostAggExprMacros;
import org.apache.druid.query.aggregation.datasketches.theta.sql.ThetaPostAggMacros;
import org.apache.druid.query.expression.LookupExprMacro;
import org.apache.druid.query.lookup.LookupExtractorFactoryContainerProvider;
import org.apache.druid.segment.DefaultColumnFormatConfig;
import org.apache.druid.segment.column.ColumnConfig;
import org.apache.druid.segment.join.FrameBasedInlineJoinableFactory;
import org.apache.druid.segment.join.InlineJoinableFactory;
import org.apache.druid.segment.join.JoinableFactory;
import org.apache.druid.segment.join.JoinableFactoryWrapper;
import org.apache.druid.segment.join.LookupJoinableFactory;
import org.apache.druid.segment.join.MapJoinableFactory;
import org.apache.druid.timeline.DataSegment;

/**
 * The values that Druid's types expect to be injected when they are read from JSON. JavaScript is
 * off: whoever may query could otherwise run code on the servers.
 */
final class Bindings implements Module {
  private final ObjectMapper json;
  private final ObjectMapper smile;
  private final Lookups lookups;

  Bindings(ObjectMapper json, ObjectMapper smile, Lookups lookups) {
    this.json = json;
    this.smile = smile;
    this.lookups = lookups;
  }

  @Override
  public void configure(Binder binder) {
    InlineJoinableFactory inline = new InlineJoinableFactory();
    FrameBasedInlineJoinableFactory frames = new FrameBasedInlineJoinableFactory();
    JoinableFactory joins =
        new MapJoinableFactory(
            Set.of(inline, frames, new LookupJoinableFactory(lookups)),
            Map.of(
                InlineJoinableFactory.class,
                InlineDataSource.class,
                FrameBasedInlineJoinableFactory.class,
                FrameBasedInlineDataSource.class,
                LookupJoinableFactory.class,
                LookupDataSource.class));
    binder.bindScope(LazySingleton.class, DruidScopes.SINGLETON);
    binder.bind(ObjectMapper.class).toInstance(json);
    binder.bind(ObjectMapper.class).annotatedWith(Json.class).toInstance(json);
    binder.bind(ObjectMapper.class).annotatedWith(Smile.class).toInstance(smile);
    binder.bind(JavaScriptConfig.class).toInstance(new JavaScriptConfig(false));
    binder.bind(LookupExtractorFactoryContainerProvider.class).toInstance(lookups);
    binder.bind(JoinableFactory.class).toInstance(joins);
    binder.bind(JoinableFactoryWrapper.class).toInstance(new JoinableFactoryWrapper(joins));
    binder.bind(ColumnConfig.class).toInstance(ColumnConfig.DEFAULT);
    binder
        .bind(DefaultColumnFormatConfig.class)
        .toInstance(new DefaultColumnFormatConfig(null, null));
    binder
        .bind(DataSegment.PruneSpecsHolder.class)
        .toInstance(DataSegment.PruneSpecsHolder.DEFAULT);
    binder.install(new ExpressionModule());
    ExpressionModule.addExprMacro(binder, LookupExprMacro.class);
    ExpressionModule.addExprMacro(binder, BoundedText.Repeat.class);
    ExpressionModule.addExprMacro(binder, BoundedText.PadLeft.class);
    ExpressionModule.addExprMacro(binder, BoundedText.PadRight.class);
    ExpressionModule.addExprMacro(binder, BoundedText.Replace.class);
    ExpressionModule.addExprMacro(binder, BoundedText.Format.class);
    ExpressionModule.addExprMacro(binder, HllPostAggExprMacros.HLLSketchEstimateExprMacro.class);
    ExpressionModule.addExprMacro(binder, ThetaPostAggMacros.ThetaSketchEstimateExprMacro.class);
  }
}
