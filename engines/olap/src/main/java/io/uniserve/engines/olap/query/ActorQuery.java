package io.uniserve.engines.olap.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.engines.olap.druid.Druid;
import io.uniserve.engines.olap.storage.Contents;
import io.uniserve.engines.olap.storage.OlapActor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.apache.druid.query.DirectQueryProcessingPool;
import org.apache.druid.query.FinalizeResultsQueryRunner;
import org.apache.druid.query.Query;
import org.apache.druid.query.QueryContexts;
import org.apache.druid.query.QueryPlus;
import org.apache.druid.query.QueryRunner;
import org.apache.druid.query.QueryRunnerFactory;
import org.apache.druid.query.QueryToolChest;
import org.apache.druid.query.ReferenceCountingSegmentQueryRunner;
import org.apache.druid.query.SegmentDescriptor;
import org.apache.druid.query.context.ResponseContext;
import org.apache.druid.query.spec.MultipleSpecificSegmentSpec;
import org.apache.druid.query.spec.SpecificSegmentQueryRunner;
import org.apache.druid.query.spec.SpecificSegmentSpec;
import org.apache.druid.segment.ReferenceCountingSegment;
import org.apache.druid.segment.Segment;
import org.apache.druid.segment.SegmentReference;
import org.joda.time.Interval;

/** One query on one actor: Druid's engine on its segments, merged by Druid's tool chest. */
final class ActorQuery {
  /** The most results that are sent together. */
  private static final int BATCH_MAX = RowBlock.ROWS_MAX;

  private final OlapActor actor;
  private final OperatorContext context;

  ActorQuery(OlapActor actor, OperatorContext context) {
    this.actor = actor;
    this.context = context;
  }

  void run(String text, Output<QueryRows> rows) {
    Query<Object> query =
        Queries.read(text)
            .withOverriddenContext(
                Map.of(
                    QueryContexts.TIMEOUT_KEY,
                    Math.max(1, context.remaining().toMillis()),
                    QueryContexts.QUERY_RESOURCE_ID,
                    UUID.randomUUID().toString(),
                    "setProcessingThreadNames", // which takes long, since it is done for each row
                    false));
    try (Contents contents = actor.contents()) {
      run(query, contents.segments(), rows);
    } catch (RuntimeException e) {
      context.checkCancelled();
      throw Failures.of(e);
    }
  }

  private <T> void run(Query<T> query, List<Segment> segments, Output<QueryRows> rows) {
    QueryRunnerFactory<T, Query<T>> kind = Druid.get().actorKinds().findFactory(query);
    QueryToolChest<T, Query<T>> merge = kind.getToolchest();
    Function<SegmentReference, SegmentReference> joined =
        query.getDataSource().createSegmentMapFunction(query);
    List<SegmentDescriptor> descriptors = new ArrayList<>();
    List<QueryRunner<T>> ordered = new ArrayList<>();
    List<QueryRunner<T>> others = new ArrayList<>();
    for (Interval interval : query.getIntervals()) {
      for (int i = 0; i < segments.size(); i++) {
        if (interval.overlaps(segments.get(i).getDataInterval())) {
          // All have the query's interval: results in the order of time are merged by intervals.
          SegmentDescriptor descriptor = new SegmentDescriptor(interval, "", i);
          descriptors.add(descriptor);
          SegmentReference segment =
              joined.apply(ReferenceCountingSegment.wrapRootGenerationSegment(segments.get(i)));
          boolean isOrdered =
              ordered.size() < OrderedGroups.SEGMENTS_MAX
                  && OrderedGroups.areGivenBy(query, segments.get(i));
          (isOrdered ? ordered : others)
              .add(
                  new SpecificSegmentQueryRunner<>(
                      new ReferenceCountingSegmentQueryRunner<>(kind, segment, descriptor),
                      new SpecificSegmentSpec(descriptor)));
        }
      }
    }
    if (descriptors.isEmpty()) {
      return;
    }
    boolean sorts = ordered.isEmpty() || !others.isEmpty();
    if (sorts) {
      ordered.add(kind.mergeRunners(DirectQueryProcessingPool.INSTANCE, others));
    }
    QueryRunner<T> runner =
        DescendingBuckets.askedAscending(
            new FinalizeResultsQueryRunner<>(
                merge.mergeResults(OrderedGroups.merged(ordered), sorts), merge));
    Query<T> here = query.withQuerySegmentSpec(new MultipleSpecificSegmentSpec(descriptors));
    Sending<T> sending =
        new Sending<>(merge.decorateObjectMapper(Druid.get().smile(), query), rows, context);
    runner
        .run(QueryPlus.wrap(here), ResponseContext.createEmpty())
        .accumulate(sending, Sending::add)
        .send();
  }

  /** The sending of results, some together. */
  private static final class Sending<T> {
    private final ObjectMapper mapper;
    private final Output<QueryRows> output;
    private final OperatorContext context;
    private final List<T> some = new ArrayList<>();

    Sending(ObjectMapper mapper, Output<QueryRows> output, OperatorContext context) {
      this.mapper = mapper;
      this.output = output;
      this.context = context;
    }

    Sending<T> add(T result) {
      context.checkCancelled();
      some.add(result);
      if (some.size() >= BATCH_MAX) {
        send();
      }
      return this;
    }

    void send() {
      if (some.isEmpty()) {
        return;
      }
      output.put(new QueryRows(RowBlock.written(some).orElseGet(this::smile)));
      some.clear();
    }

    private byte[] smile() {
      try {
        return mapper.writeValueAsBytes(some);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException("a result of Druid cannot be written", e);
      }
    }
  }
}
