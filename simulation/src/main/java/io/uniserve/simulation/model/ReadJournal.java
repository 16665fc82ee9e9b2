package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import java.util.List;

/**
 * A retrieve of an actor's whole journal, piece by piece, so that a repeated or partial answer is
 * noticed.
 *
 * @param pieceLength operations in one piece
 */
public record ReadJournal(int pieceLength)
    implements Operator.Retrieve<ModelActor, ReadJournal.Piece> {

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
    int from = 0;
    do {
      context.checkCancelled();
      int to = Math.min(journal.size(), from + pieceLength);
      pieces.put(new Piece(from, journal.subList(from, to), journal.size()));
      from = to;
    } while (from < journal.size());
  }
}
