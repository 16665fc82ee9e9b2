package io.uniserve.runtime.wire.cluster;

/**
 * A move of a copy (DPA §4.4). Its progress follows from the two copies. The one on {@code to} is
 * absent until there is room for one more move, then loads and becomes ready. A primary on {@code
 * from} hands over. The copy on {@code from} retires and is removed.
 *
 * @param from the server that is to drop its copy of the actor
 * @param to the server that is to get a copy instead
 * @param why the reason: what asked for it
 */
public record MoveState(String from, String to, String why) {

  /** The stage of a move. */
  public enum Stage {
    /** It waits until other moves have ended. */
    WAITING,
    /** The new copy is fetched, catches up and is warmed. */
    LOADING,
    /** The new copy can be read; leadership goes over to another copy than the old one. */
    HANDING_OVER,
    /** The new copy can be read; the old one answers its last reads. */
    RETIRING
  }

  /** Returns the stage of this move, given the actor that it moves. */
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
