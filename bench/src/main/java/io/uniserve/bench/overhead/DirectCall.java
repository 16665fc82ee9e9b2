package io.uniserve.bench.overhead;

import io.uniserve.api.OperatorContext;
import java.time.Duration;

/** A call of an actor's operator as the runtime would make it, but without the runtime. */
final class DirectCall implements OperatorContext {

  private final EchoActor actor = new EchoActor();
  private byte[] answer;

  byte[] ask(Echo echo) {
    echo.retrieve(actor, value -> answer = value.bytes(), this);
    return answer;
  }

  @Override
  public int actor() {
    return 0;
  }

  @Override
  public Duration remaining() {
    return Duration.ofDays(1);
  }

  @Override
  public boolean cancelled() {
    return false;
  }

  @Override
  public void checkCancelled() {
    // Nobody cancels.
  }

  @Override
  public void reportCost(double cost) {
    // Nobody balances load.
  }
}
