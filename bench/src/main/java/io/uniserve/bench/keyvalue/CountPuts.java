package io.uniserve.bench.keyvalue;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;

/** The operator that says how many entries were put into an actor. */
public record CountPuts() implements Operator.Retrieve<KeyValueData, Long> {
  @Override
  public void retrieve(KeyValueData data, Output<Long> counts, OperatorContext context) {
    counts.put(data.puts());
  }
}
