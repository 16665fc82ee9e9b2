package io.uniserve.engines.sharedscan;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.form.Name;
import io.uniserve.engines.sharedscan.scan.Aggregate;
import io.uniserve.engines.sharedscan.scan.GroupSink;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.Test;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An operator that gives aggregates of groups of the records that pass all tests. It waits for a
 * cycle.
 *
 * @param where the tests
 * @param columns the places of the columns whose values make a group
 * @param aggregates the aggregates of each group
 */
@Name("ScanGroups")
public record ScanGroups(List<Test> where, List<Integer> columns, List<Aggregate> aggregates)
    implements Operator.Retrieve<SharedScanActor, Group> {
  /** Copies the lists. */
  public ScanGroups {
    where = List.copyOf(where);
    columns = List.copyOf(columns);
    aggregates = List.copyOf(aggregates);
  }

  @Override
  public void retrieve(SharedScanActor actor, Output<Group> groups, OperatorContext context) {
    Operation.check(where, actor.schema());
    int[] places = columns.stream().mapToInt(Integer::intValue).toArray();
    GroupSink sink = actor.groups(where, places, aggregates, context);
    sink.forEach(
        (key, results) -> {
          List<Object> values = new ArrayList<>(results.length);
          for (Object result : results) {
            values.add(
                switch (result) {
                  case BigInteger sum -> sum.toString();
                  case byte[] text -> new String(text, StandardCharsets.UTF_8);
                  case null, default -> result;
                });
          }
          groups.put(new Group(key, values));
        });
  }

  @Override
  public boolean waits() {
    return true;
  }
}
