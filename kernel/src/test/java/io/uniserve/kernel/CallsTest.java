package io.uniserve.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallsTest {
  private static final Address SERVER = new Address("server");

  private record Ask(String text) implements Message {}

  private record Answer(String text) implements Message {}

  @TempDir Path directory;
  private Environment environment;

  @BeforeEach
  void open() throws IOException {
    SystemClock clock = new SystemClock();
    InProcessNetwork network = new InProcessNetwork(clock);
    environment =
        new ProductionEnvironment(
            clock,
            new ProductionThreads(),
            new FileStorage(directory),
            ProductionEnvironment.unseeded(),
            network.attach(SERVER));
  }

  private Answer ask(long millis) {
    Deadline deadline = Deadline.after(environment.clock(), Duration.ofMillis(millis));
    return Calls.ask(environment, SERVER, new Ask("?"), Answer.class, deadline);
  }

  private void listen(Transport.Handler handler) {
    environment.transport().listen(SERVER, handler);
  }

  @Test
  void waitsForTheReplyOfAnotherThread() {
    listen(
        (request, call) ->
            environment
                .threads()
                .start(
                    "answer",
                    () -> {
                      call.reply(new Answer(((Ask) request).text() + "!"));
                      call.complete();
                    }));
    assertThat(ask(5000).text()).isEqualTo("?!");
  }

  @Test
  void theCalleesErrorIsTheCallers() {
    listen((request, call) -> call.fail(new UniserveException(ErrorCode.OVERLOADED, "full")));
    assertThatThrownBy(() -> ask(5000)).hasMessage("full");
  }

  @Test
  void aCallThatTimesOutIsCancelled() {
    AtomicReference<Transport.Incoming> incoming = new AtomicReference<>();
    listen((request, call) -> incoming.set(call));
    assertThatThrownBy(() -> ask(300))
        .isInstanceOfSatisfying(
            UniserveException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
    assertThat(incoming.get().cancelled()).isTrue();
  }

  @Test
  void aReplyOfAnotherClassIsADefect() {
    listen(
        (request, call) -> {
          call.reply(request);
          call.complete();
        });
    assertThatThrownBy(() -> ask(5000)).hasMessage("expected one Answer, got Ask");
  }

  @Test
  void noReplyIsADefect() {
    listen((request, call) -> call.complete());
    assertThatThrownBy(() -> ask(5000)).hasMessageContaining("without its reply");
  }

  @Test
  void twoRepliesAreADefect() {
    listen(
        (request, call) -> {
          call.reply(new Answer("one"));
          call.reply(new Answer("two"));
          call.complete();
        });
    assertThatThrownBy(() -> ask(5000)).hasMessage("expected one Answer, got more than one");
  }
}
