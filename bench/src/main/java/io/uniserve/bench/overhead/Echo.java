package io.uniserve.bench.overhead;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;

/**
 * Asks an {@link EchoActor} for an answer.
 *
 * @param request any bytes
 * @param answerLength how many bytes the answer is to have
 * @param brief whether it says that it is brief, and so stays on the thread that brings it
 */
public record Echo(byte[] request, int answerLength, boolean brief)
    implements Operator.Retrieve<EchoActor, Echo.Value> {

  /** The answer. */
  public record Value(byte[] bytes) {}

  @Override
  public void retrieve(EchoActor actor, Output<Value> values, OperatorContext context) {
    values.put(new Value(actor.answer(request, answerLength)));
  }

  /** A query of a table's only actor for this answer. */
  Plan<byte[]> plan(String table) {
    return Plan.query(table, this, Only::new);
  }

  /** Takes the only value. */
  private static final class Only implements Operator.Combiner<Value, byte[]> {
    private byte[] answer;

    @Override
    public void add(int actor, Value value) {
      if (answer != null) {
        throw new IllegalStateException("Two answers from one actor");
      }
      answer = value.bytes();
    }

    @Override
    public byte[] result() {
      return answer;
    }
  }
}
