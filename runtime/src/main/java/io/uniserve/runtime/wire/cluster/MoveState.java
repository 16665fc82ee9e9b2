package io.uniserve.runtime.wire.cluster;

/**
 * A copy that is to be moved (DPA §4.4). Its progress is that of the two copies: the one on {@code
 * to} is absent until there is room for one more move, then loads and becomes ready; a primary on
 * {@code from} hands over; the copy on {@code from} retires and goes.
 *
 * @param from the server that is to hold the actor no more
 * @param to the server that is to hold it instead
 * @param why what asked for it
 */
public record MoveState(String from, String to, String why) {

  /** How far a move is. */
  public enum Stage {
    /** Waits until other moves have ended. */
    WAITING,
    /** The new copy is fetched, catches up and is warmed. */
    LOADING,
    /** The new copy can be read; leadership goes over to another copy than the old one. */
    HANDING_OVER,
    /** The new copy can be read; the old one answers its last reads. */
    RETIRING
  }

  /** How far this move is, given the actor that it moves. */
  public Stage stage(ActorState actor) {
    boolean retiring =
        actor.copyOn(from).filter(copy -> copy.status() == CopyState.Status.RETIRING).isPresent();
    return actor
        .copyOn(to)
        .map(
            copy ->
                copy.status() != CopyState.Status.READY
                    ? Stage.LOADING
                    : retiring ? Stage.RETIRING : Stage.HANDING_OVER)
        .orElse(Stage.WAITING);
  }
}
