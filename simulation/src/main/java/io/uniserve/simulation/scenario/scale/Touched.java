package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import java.util.Optional;

/** The one actor that a control record changes. */
final class Touched {
  private Touched() {}

  static Optional<ActorId> by(ControlRecord record) {
    return switch (record) {
      case ControlRecord.CopyAdded added -> Optional.of(added.actor());
      case ControlRecord.CopyReady ready -> Optional.of(ready.actor());
      case ControlRecord.CopyUnready unready -> Optional.of(unready.actor());
      case ControlRecord.CopyLost lost -> Optional.of(lost.actor());
      case ControlRecord.LossAccepted accepted -> Optional.of(accepted.actor());
      case ControlRecord.ActorEmptied emptied -> Optional.of(emptied.actor());
      case ControlRecord.CopyRemoved removed -> Optional.of(removed.actor());
      case ControlRecord.CopyRetiring retiring -> Optional.of(retiring.actor());
      case ControlRecord.PrimaryChanged changed -> Optional.of(changed.actor());
      case ControlRecord.MoveRequested requested -> Optional.of(requested.actor());
      case ControlRecord.MoveEnded ended -> Optional.of(ended.actor());
      case ControlRecord.ActorPlaced placed -> Optional.of(placed.actor());
      case ControlRecord.SplitRequested requested -> Optional.of(requested.actor());
      case ControlRecord.ActorSplit split -> Optional.of(split.actor());
      case ControlRecord.SplitGivenUp givenUp -> Optional.of(givenUp.actor());
      case ControlRecord.ActorPinned pinned -> Optional.of(pinned.actor());
      default -> Optional.empty();
    };
  }
}
