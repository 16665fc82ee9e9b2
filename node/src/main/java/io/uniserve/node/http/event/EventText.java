package io.uniserve.node.http.event;

import io.uniserve.api.ActorId;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.node.http.document.ControllerText;
import io.uniserve.node.http.document.RingDocuments;
import io.uniserve.node.text.Figures;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The wording of control records.
 *
 * @param before the state before the record, which still has a table that is dropped
 * @param after the state after it
 * @param at the time at which it was heard of
 */
record EventText(ClusterState before, ClusterState after, Instant at) {

  Event of(ControlRecord record) {
    return switch (record) {
      case ControlRecord.ClusterFounded founded ->
          event("founded", "cluster " + founded.cluster() + " founded", "");
      case ControlRecord.ControllersChanged changed ->
          event("controllers", "the controllers are " + join(changed.controllers()), "");
      case ControlRecord.OwnerNamed named ->
          event("term", "a controller begins to decide", "as owner '" + named.owner() + "'");
      case ControlRecord.ServerJoined joined ->
          event("joined", joined.server() + " joined, life " + joined.incarnation(), "");
      case ControlRecord.ServerFailed failed ->
          event(
              "failed",
              failed.server() + (left(failed.server()) ? " left" : " failed"),
              failed.why());
      case ControlRecord.TableCreated created ->
          event("created", "table " + created.definition().name() + " created", "");
      case ControlRecord.TableDropped dropped ->
          event("dropped", "table " + table(dropped.table()) + " dropped", "");
      case ControlRecord.TableRedefined redefined ->
          event(
              "redefined",
              "table "
                  + table(redefined.table())
                  + (redefined.next().isPresent()
                      ? " is being given another schema"
                      : " has another schema"),
              "");
      case ControlRecord.CopyAdded added ->
          event("copying", name(added.actor()) + " is copied to " + added.server(), added.why());
      case ControlRecord.CopyReady ready ->
          event("ready", name(ready.actor()) + " is ready on " + ready.server(), "");
      case ControlRecord.CopyUnready unready ->
          event(
              "unready",
              name(unready.actor()) + " is brought up to date on " + unready.server(),
              unready.why());
      case ControlRecord.CopyLost lost ->
          event("lost", name(lost.actor()) + " is lost on " + lost.server(), lost.why());
      case ControlRecord.LossAccepted accepted ->
          event("loss", name(accepted.actor()) + " goes on without its lost data", accepted.why());
      case ControlRecord.ActorEmptied emptied ->
          event("loss", name(emptied.actor()) + " begins anew, empty", emptied.why());
      case ControlRecord.TableRecovered recovered ->
          event(
              "loss",
              "table " + recovered.table().definition().name() + " goes on without its lost data",
              recovered.why());
      case ControlRecord.CopyRemoved removed ->
          event(
              "removed",
              name(removed.actor()) + " is removed from " + removed.server(),
              removed.why());
      case ControlRecord.PrimaryChanged changed ->
          event(
              "promoted",
              changed.server() + " leads " + name(changed.actor()) + ", epoch " + changed.epoch(),
              changed.why());
      case ControlRecord.CopyRetiring retiring ->
          event(
              "retiring",
              name(retiring.actor()) + " answers its last reads on " + retiring.server(),
              retiring.why());
      case ControlRecord.MoveRequested move ->
          event(
              "move",
              name(move.actor()) + " is to move from " + move.from() + " to " + move.to(),
              move.why());
      case ControlRecord.MoveEnded move -> ended(move);
      case ControlRecord.ServerDraining draining ->
          event(
              "draining",
              draining.server() + (draining.draining() ? " is drained" : " is used again"),
              draining.why());
      case ControlRecord.ActorPlaced placed ->
          event(
              "placed",
              name(placed.actor()) + " is wanted on " + String.join(", ", placed.servers()),
              placed.why());
      case ControlRecord.ActorPinned pinned ->
          event(
              "pinned",
              name(pinned.actor())
                  + (pinned.pinned() ? " is pinned to " : " is not pinned any more to ")
                  + pinned.server(),
              "");
      case ControlRecord.SplitRequested requested ->
          event("splitting", name(requested.actor()) + " is to be split", requested.split().why());
      case ControlRecord.ActorSplit split ->
          event(
              "split",
              name(split.actor()) + " was split; actor " + split.cut().into() + " is new",
              "");
      case ControlRecord.SplitGivenUp givenUp ->
          event("split", name(givenUp.actor()) + " stays whole", givenUp.why());
      case ControlRecord.MergeRequested requested ->
          event(
              "merging",
              name(requested.first()) + " is to be merged with actor " + requested.second(),
              requested.why());
      case ControlRecord.ActorsMerged merged ->
          event(
              "merged",
              "actors "
                  + merged.merge().first()
                  + " and "
                  + merged.merge().second()
                  + " of "
                  + table(merged.table())
                  + " are actor "
                  + merged.merge().into()
                  + " now",
              merged.why());
      case ControlRecord.MergeGivenUp givenUp ->
          event(
              "merged",
              name(givenUp.first()) + " is not merged with actor " + givenUp.second(),
              givenUp.why());
      case ControlRecord.RingBegun begun ->
          event(
              "ring",
              "table "
                  + table(begun.table())
                  + " is on a ring of "
                  + Figures.plural(begun.members().size(), "server"),
              "");
      case ControlRecord.RingChangeSubmitted submitted ->
          event(
              "ring",
              "change "
                  + after.tables().get(submitted.table()).ring().orElseThrow().submitted()
                  + " of the ring of "
                  + table(submitted.table())
                  + " waits for its turn",
              RingDocuments.text(partitioner(submitted.table()), submitted.change()));
      case ControlRecord.RingChangePlaced placed ->
          event(
              "ring",
              "change " + placed.number() + " of the ring of " + table(placed.table()) + " begins",
              "");
      case ControlRecord.RingChangeEnded ended ->
          event(
              "ring",
              "change "
                  + ended.number()
                  + " of the ring of "
                  + table(ended.table())
                  + (ended.done() ? " is made" : " is not made"),
              ended.why());
      case ControlRecord.StreamCreated created ->
          event(
              "stream",
              "stream "
                  + created.definition().name()
                  + " is to be read into "
                  + table(created.table()),
              "topic " + created.definition().topic());
      case ControlRecord.StreamTaken taken ->
          event("stream", "stream " + taken.name() + " is read by " + taken.runner(), "");
      case ControlRecord.StreamAdvanced advanced ->
          event(
              "advanced",
              "stream " + advanced.name() + " has got further",
              Figures.plural(advanced.partitions().size(), "partition"));
      case ControlRecord.StreamRedefined redefined ->
          event("stream", "stream " + redefined.definition().name() + " is described anew", "");
      case ControlRecord.StreamChanged changed ->
          event(
              "stream",
              "stream "
                  + changed.name()
                  + switch (changed.status()) {
                    case RUNNING -> " goes on";
                    case PAUSED -> " is paused";
                    case FAILED -> " has stopped";
                    case ENDED -> " has ended";
                  },
              changed.why());
      case ControlRecord.StreamDropped dropped ->
          event("stream", "stream " + dropped.name() + " is dropped", "");
      case ControlRecord.PlacementPaused paused ->
          event("paused", "placement " + (paused.paused() ? "is paused" : "goes on"), "");
      case ControlRecord.ServerLeaving leaving ->
          event("leaving", leaving.server() + " is about to end", "");
      case ControlRecord.TransactionCommitted committed ->
          event(
              "committed",
              "update of " + table(committed.table()) + " committed",
              Figures.plural(committed.actors().size(), "actor"));
      case ControlRecord.TransactionAborted aborted ->
          event(
              "aborted",
              "update of " + name(aborted.actor()) + " given up",
              "it was never decided");
      case ControlRecord.ScalingSet set -> scaling(set.settings());
      case ControlRecord.FleetChanged changed ->
          event(
              "scaled",
              "the cluster is to have " + Figures.plural(changed.fleet().size(), "server"),
              changed.why());
    };
  }

  private static String join(List<Address> addresses) {
    return addresses.stream().map(ControllerText::of).collect(Collectors.joining(", "));
  }

  private Event ended(ControlRecord.MoveEnded move) {
    String what = name(move.actor());
    return switch (move.outcome()) {
      case DONE -> event("moved", what + " has moved to " + move.to(), move.why());
      case CANCELLED -> event("move", what + " stays on " + move.from(), move.why());
      case FAILED -> event("move", what + " could not be moved to " + move.to(), move.why());
    };
  }

  private Event scaling(ScalingSettings settings) {
    return event(
        "scaling",
        settings.paused()
            ? "the cluster keeps its size"
            : "the cluster has "
                + settings.serversMin()
                + " to "
                + settings.serversMax()
                + " servers by "
                + settings.policy(),
        "");
  }

  private boolean left(String server) {
    return after.servers().get(server).leaving();
  }

  private Event event(String kind, String text, String why) {
    return new Event(after.version(), at, kind, text, why);
  }

  private String name(ActorId actor) {
    return table(actor.table()) + "/" + actor.number();
  }

  private Partitioner partitioner(long id) {
    return after.tables().get(id).definition().partitioner();
  }

  private String table(long id) {
    TableState table = after.tables().getOrDefault(id, before.tables().get(id));
    return table == null ? "#" + id : table.definition().name();
  }
}
