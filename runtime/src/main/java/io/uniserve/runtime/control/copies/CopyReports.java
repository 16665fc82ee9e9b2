package io.uniserve.runtime.control.copies;

import io.uniserve.api.Durability;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.wire.ControlMessage.CopyReport;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyLost;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyReady;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyUnready;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.List;

/**
 * The reports of servers about their copies. A report counts only if it is about the present copy
 * and the present epoch.
 */
public final class CopyReports {
  private final Decisions decisions;
  private final Elections elections;
  private final Repairs repairs;
  private final Moves moves;
  private final Recoveries recoveries;
  private final Separations separations;

  public CopyReports(
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
   * Takes a complete copy out of the complete ones. A damaged copy stays if there is no other, and
   * the store does not have everything either: nobody else can lead, and an operator may be able to
   * repair its disk.
   *
   * @param ofThisStatus false if the copy has been given another status since, perhaps with other
   *     data
   */
  private void lost(CopyReport report, boolean damaged, boolean ofThisStatus) {
    if (!ofThisStatus) {
      return;
    }
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

  private void opened(CopyReport report, boolean ofThisStatus) {
    ActorState actor = decisions.state().actor(report.actor()).orElseThrow();
    if (ofThisStatus && actor.complete().contains(report.copy().server())) {
      recoveries.opened(report.actor());
    }
  }

  /**
   * Handles a copy that answers no reads any more. A retiring copy is removed if the others
   * suffice; any other is brought up to date.
   */
  private void answersNoReads(CopyReport report, CopyState copy) {
    if (copy.status() == CopyState.Status.RETIRING) {
      repairs.retired(report.actor(), copy.server());
    } else {
      decisions.record(List.of(new CopyUnready(report.actor(), copy.server(), report.detail())));
    }
  }

  /**
   * Decides the consequences of a report.
   *
   * @param copy the copy as it is in cluster state
   */
  public void take(CopyReport report, CopyState copy) {
    String server = copy.server();
    boolean current =
        decisions.state().actor(report.actor()).orElseThrow().epoch() == report.epoch();
    // A late report may be about a time before the copy's present status.
    boolean ofThisStatus = copy.equals(report.copy());
    switch (report.outcome()) {
      case READY -> {
        boolean ready = copy.status() == CopyState.Status.READY;
        opened(report, ofThisStatus);
        if (current && ofThisStatus && !ready) {
          decisions.record(List.of(new CopyReady(report.actor(), server)));
        }
      }
      case UNREADY -> {
        if (current && copy.status() != CopyState.Status.LOADING) {
          decisions.record(List.of(new CopyUnready(report.actor(), server, report.detail())));
        }
      }
      case ABSENT -> lost(report, false, ofThisStatus);
      case DAMAGED -> lost(report, true, ofThisStatus);
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
        // If the primary is lost as well, and nobody has noticed yet, this copy may be the only one
        // left.
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
      case HOLDING ->
          // The copy can now be elected, which the next look at the actor does.
          opened(report, ofThisStatus);
    }
  }
}
