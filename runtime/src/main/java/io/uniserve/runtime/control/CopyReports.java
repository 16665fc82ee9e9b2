package io.uniserve.runtime.control;

import io.uniserve.api.Durability;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyLost;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyUnready;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.List;

/** What servers tell of their copies, as far as it still is of the copy and the reign it names. */
final class CopyReports {
  private final Decisions decisions;
  private final Elections elections;
  private final Repairs repairs;
  private final Moves moves;
  private final Recoveries recoveries;
  private final Separations separations;

  CopyReports(
      Decisions decisions,
      Elections elections,
      Repairs repairs,
      Moves moves,
      Recoveries recoveries,
      Separations separations) {
    this.separations = separations;
    this.decisions = decisions;
    this.elections = elections;
    this.repairs = repairs;
    this.moves = moves;
    this.recoveries = recoveries;
  }

  /**
   * A copy that was complete is not any more. If it is damaged and there is no other, nor a store
   * that has everything, it stays what it is: somebody may be able to mend its disk, and nobody
   * else can lead.
   */
  private void lost(CopyReport report, boolean damaged) {
    String server = report.copy().server();
    List<String> complete = decisions.state().actor(report.actor()).orElseThrow().complete();
    TableState table = decisions.state().tables().get(report.actor().table());
    boolean stored = table.definition().durability() == Durability.SYNCHRONOUS;
    boolean only = complete.equals(List.of(server)) && !stored;
    if (damaged && only) {
      recoveries.damaged(report.actor());
    } else if (complete.contains(server)) {
      decisions.record(List.of(new CopyLost(report.actor(), server, report.detail())));
    }
  }

  /** One that was to go, goes, if the others suffice; any other is brought up to date. */
  private void answersNoReads(CopyReport report, CopyState copy) {
    if (copy.status() == CopyState.Status.RETIRING) {
      repairs.retired(report.actor(), copy.server());
    } else {
      decisions.record(List.of(new CopyUnready(report.actor(), copy.server(), report.detail())));
    }
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
      case ABSENT -> lost(report, false);
      case DAMAGED -> lost(report, true);
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
      case UNREACHED -> {
        // Of a primary that is lost itself, though nobody has noticed yet, the copy may be the
        // only one left.
        if (current && ofThisStatus && separations.isSeparate(report.actor(), copy.id())) {
          answersNoReads(report, copy);
        }
      }
      case REACHED_AGAIN -> {
        if (current && ofThisStatus) {
          answersNoReads(report, copy);
        }
      }
      case NO_ROOM -> moves.noRoom(report.actor(), server, report.detail());
      case HOLDING -> {
        // The copy can now be elected, which reconciling sees to.
      }
    }
  }
}
