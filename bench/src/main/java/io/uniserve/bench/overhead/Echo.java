package io.uniserve.bench.overhead;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.Plan;

/**
 * An operator that asks an {@link EchoActor} for an answer.
 *
 * @param request any bytes
 * @param answerLength the number of bytes of the answer
 * @param brief true if the operator declares itself brief, and so runs on the thread that receives
 *     the request
 */
public record Echo(byte[] request, int answerLength, boolean brief)
    implements Operator.Retrieve<EchoActor, Echo.Value> {

  /** The answer. */
  public record Value(byte[] bytes) {}

  @Override
  public void retrieve(EchoActor actor, Output<Value> values, OperatorContext context) {
    values.put(new Value(actor.answer(request, answerLength)));
  }

  /** Returns a query of a table's only actor for this answer. */
  Plan<byte[]> plan(String table) {
    return Plan.query(table, this, Only::new);
  }

  /** A combiner that takes the only value. */
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
