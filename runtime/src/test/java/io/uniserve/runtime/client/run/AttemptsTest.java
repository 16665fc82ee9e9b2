package io.uniserve.runtime.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ClientFixture;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AttemptsTest {
  private static final UniserveException GONE =
      new UniserveException(ErrorCode.VERSION_GONE, "the version is gone");

  private final SystemClock clock = new SystemClock();
  private final List<ReadPoints> versions = new ArrayList<>();
  private ClientContext client;

  @BeforeEach
  void begin(@TempDir Path directory) throws IOException {
    Environment environment =
        ProcessFixture.environment(
            clock, directory, new InProcessNetwork(clock).attach(new Address("client")));
    Controllers controllers = new Controllers(environment, List.of(new Address("controller")));
    client = ClientFixture.context(environment, controllers);
  }

  @AfterEach
  void end() {
    clock.close();
  }

  private Attempts within(Duration timeout) {
    return new Attempts(client, new QueryOptions(timeout));
  }

  @Test
  void aPlanWhoseVersionIsGoneReadsOthersAtItsNextAttempt() {
    String answer =
        within(Duration.ofSeconds(30))
            .run(
                (deadline, read, changes) -> {
                  versions.add(read);
                  if (versions.size() < 3) {
                    throw GONE;
                  }
                  return "answer";
                });

    assertThat(answer).isEqualTo("answer");
    assertThat(versions).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  void aPlanThatHasBegunToChangeSomethingIsNotRunAgain() {
    assertThatThrownBy(
            () ->
                within(Duration.ofSeconds(30))
                    .run(
                        (deadline, read, changes) -> {
                          versions.add(read);
                          changes.begin();
                          throw GONE;
                        }))
        .isSameAs(GONE);
    assertThat(versions).hasSize(1);
  }

  @Test
  void aPartOfAFailedAttemptThatIsStillUnderWayChangesNothing() {
    List<Attempts.Changes> attempts = new ArrayList<>();
    within(Duration.ofSeconds(30))
        .run(
            (deadline, read, changes) -> {
              attempts.add(changes);
              if (attempts.size() == 1) {
                throw GONE;
              }
              changes.begin();
              return "answer";
            });

    assertThatThrownBy(attempts.getFirst()::begin)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
  }

  @Test
  void otherErrorsAndLateOnesAreTheAnswer() {
    UniserveException other = new UniserveException(ErrorCode.UNAVAILABLE, "no copy");
    assertThatThrownBy(
            () ->
                within(Duration.ofSeconds(30))
                    .run(
                        (deadline, read, changes) -> {
                          throw other;
                        }))
        .isSameAs(other);
    assertThatThrownBy(
            () ->
                within(Duration.ofMillis(50))
                    .run(
                        (deadline, read, changes) -> {
                          throw GONE;
                        }))
        .isSameAs(GONE);
  }
}
