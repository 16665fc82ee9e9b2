package io.uniserve.simulation.scenario.ledger;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A server that writes numbers: the first server writes those of the client, the others copy the
 * first.
 */
final class LedgerServer {
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final Environment environment;
  private final LedgerSafety safety;
  private final LedgerFile file;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile int safeCount;

  LedgerServer(Environment environment, LedgerSafety safety) throws IOException {
    this.environment = environment;
    this.safety = safety;
    file = new LedgerFile(environment.storage());
    safeCount = file.numbers().size();
  }

  /** Serves at an address and, if there are others to copy to, copies to them for ever. */
  void serve(String name, List<String> copies) {
    environment.transport().listen(new Address(name), this::handle);
    for (String copy : copies) {
      environment.threads().start("copy to " + copy, () -> copyForEver(new Address(copy)));
    }
  }

  private void handle(Message request, Transport.Incoming call) {
    environment.threads().start("answer", () -> answer(request, call));
  }

  private void answer(Message request, Transport.Incoming call) {
    lock.lock();
    try {
      call.reply(
          switch ((LedgerMessage) request) {
            case LedgerMessage.Append(long number) -> append(number);
            case LedgerMessage.Copy(int from, List<Long> numbers) -> copy(from, numbers);
            default -> throw UniserveException.invalid(request + " is not a request");
          });
      call.complete();
    } catch (IOException e) {
      call.fail(new UniserveException(ErrorCode.EXHAUSTED, e.toString(), e));
    } finally {
      lock.unlock();
    }
  }

  private LedgerMessage append(long number) throws IOException {
    List<Long> numbers = file.numbers();
    if (numbers.isEmpty() || numbers.getLast() < number) {
      file.append(number);
    }
    makeSafe();
    return new LedgerMessage.Appended();
  }

  private LedgerMessage copy(int from, List<Long> numbers) throws IOException {
    int have = file.numbers().size();
    for (int i = have - from; i >= 0 && i < numbers.size(); i++) {
      file.append(numbers.get(i));
    }
    makeSafe();
    return new LedgerMessage.Copied(file.numbers().size());
  }

  private void makeSafe() throws IOException {
    if (safety == LedgerSafety.FORCED) {
      file.force();
    }
    safeCount = file.numbers().size();
  }

  private void copyForEver(Address copy) {
    int copied = 0;
    while (true) {
      try {
        List<Long> rest =
            List.copyOf(file.numbers().subList(Math.min(copied, safeCount), safeCount));
        LedgerMessage.Copied answer =
            Calls.ask(
                environment,
                copy,
                new LedgerMessage.Copy(Math.min(copied, safeCount), rest),
                LedgerMessage.Copied.class,
                Deadline.after(environment.clock(), PATIENCE));
        copied = answer.count();
        environment.clock().sleep(Duration.ofMillis(10));
      } catch (UniserveException e) {
        copied = 0;
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  int count() {
    return file.numbers().size();
  }

  long number(int place) {
    return file.numbers().get(place);
  }
}
