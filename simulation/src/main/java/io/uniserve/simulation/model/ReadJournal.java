package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import java.util.List;

/**
 * A retrieve of an actor's whole journal, piece by piece, so that a repeated or partial answer is
 * noticed.
 *
 * @param pieceLength operations in one piece; more if there were too many pieces
 */
public record ReadJournal(int pieceLength)
    implements Operator.Retrieve<ModelActor, ReadJournal.Piece> {

  /**
   * The most pieces, since a caller takes only a few at a time: more would take seconds of
   * simulated network without any fault.
   */
  private static final int PIECES_MAX = 1_000;

  /**
   * A part of a journal.
   *
   * @param from the place of its first operation
   * @param operations the operations, in order
   * @param total the number of operations in the whole journal
   */
  public record Piece(int from, List<Operation> operations, int total) {}

  @Override
  public void retrieve(ModelActor actor, Output<Piece> pieces, OperatorContext context) {
    List<Operation> journal = actor.visible();
    int length = Math.max(pieceLength, Math.ceilDiv(journal.size(), PIECES_MAX));
    int from = 0;
    do {
      context.checkCancelled();
      int to = Math.min(journal.size(), from + length);
      pieces.put(new Piece(from, journal.subList(from, to), journal.size()));
      from = to;
    } while (from < journal.size());
  }
}
