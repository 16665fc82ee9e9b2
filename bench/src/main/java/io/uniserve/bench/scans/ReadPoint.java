package io.uniserve.bench.scans;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;

/**
 * A query of one record, which occupies a worker thread for a fixed time.
 *
 * @param nanos the time
 */
public record ReadPoint(long nanos)
    implements Operator.Retrieve<PacedEngine.Paced, ReadPoint.Done> {
  /** The value of a record. */
  public record Done() {}

  @Override
  public void retrieve(PacedEngine.Paced partition, Output<Done> out, OperatorContext context) {
    Pause.nanos(nanos);
    out.put(new Done());
  }
}
