package io.uniserve.runtime.control;

import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyUnready;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.util.List;

/** What servers tell of their copies, as far as it still is of the copy and the reign it names. */
final class CopyReports {
  private final Decisions decisions;
  private final Elections elections;
  private final Repairs repairs;
  private final Moves moves;

  CopyReports(Decisions decisions, Elections elections, Repairs repairs, Moves moves) {
    this.decisions = decisions;
    this.elections = elections;
    this.repairs = repairs;
    this.moves = moves;
  }

  /**
   * Decides what follows from a report.
   *
   * @param copy the copy as cluster state has it
   */
  void take(CopyReport report, CopyState copy) {
    String server = copy.server();
    boolean current =
        decisions.state().actor(report.actor()).orElseThrow().epoch() == report.epoch();
    // A report that comes late may tell of a time before the status that the copy has now.
    boolean ofThisStatus = copy.equals(report.copy());
    switch (report.outcome()) {
      case READY -> {
        boolean ready = copy.status() == CopyState.Status.READY;
        if (current && ofThisStatus && !ready) {
          decisions.record(List.of(new CopyReady(report.actor(), server)));
        }
      }
      case UNREADY -> {
        if (current && copy.status() != CopyState.Status.LOADING) {
          decisions.record(List.of(new CopyUnready(report.actor(), server, report.detail())));
        }
      }
      case SEALED -> {
        if (current) {
          elections.promised(report.actor(), report.epoch() + 1);
        }
      }
      case RETIRED -> {
        if (ofThisStatus && copy.status() == CopyState.Status.RETIRING) {
          repairs.retired(report.actor(), server);
        }
      }
      case NO_ROOM -> moves.noRoom(report.actor(), server, report.detail());
      case HOLDING -> {
        // The copy can now be elected, which reconciling sees to.
      }
    }
  }
}
