package io.uniserve.engines.sharedscan;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.form.Name;
import io.uniserve.engines.sharedscan.scan.CycleReport;

/** An operator that tells what the last cycle of each actor has done. */
@Name("AskCycle")
public record AskCycle() implements Operator.Retrieve<SharedScanActor, CycleStatus> {
  @Override
  public void retrieve(
      SharedScanActor actor, Output<CycleStatus> statuses, OperatorContext context) {
    CycleReport last = actor.live().lastCycle();
    CycleReport.Indexes indexes = last.indexes();
    statuses.put(
        new CycleStatus(
            last.operations(),
            last.records(),
            last.nanos(),
            indexes.byHash(),
            indexes.byTree(),
            indexes.inBulk()));
  }
}
