package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.uniserve.api.Actor;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalPlans;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks that all values that must cross the wire can do so without a change. */
public interface WireChecks<A extends Actor> extends EngineUnderTest<A> {

  @Test
  @DisplayName("every type that may cross the wire has a codec")
  default void everyTypeHasACodec() {
    assertThatCode(() -> TypeRegistry.of(engine().types())).doesNotThrowAnyException();
  }

  @Test
  @DisplayName("records, updates, operators and values come out of the wire as they went in")
  default void everythingComesOutAsItWentIn(@TempDir Path directory) throws IOException {
    TypeRegistry types = TypeRegistry.of(engine().types());
    List<Object> travellers = travellers(directory);

    for (Object traveller : travellers) {
      byte[] bytes = types.encode(traveller);
      Object arrived = types.decode(ByteBuffer.wrap(bytes));
      assertThat(arrived).hasSameClassAs(traveller);
      assertThat(types.encode(arrived)).as("%s, encoded again", traveller).isEqualTo(bytes);
    }
  }

  @Test
  @DisplayName("no type is left untried: a batch, a question or furtherValues() has one of each")
  default void noTypeIsLeftUntried(@TempDir Path directory) throws IOException {
    Set<Class<?>> seen = new LinkedHashSet<>();
    travellers(directory).forEach(traveller -> seen.add(traveller.getClass()));

    assertThat(seen).containsAll(engine().types());
  }

  private List<Object> travellers(Path directory) throws IOException {
    List<Object> travellers = new ArrayList<>(furtherValues());
    copying().ifPresent(travellers::add);
    scan().ifPresent(plan -> travellers.add(plan.operator()));
    refused().ifPresent(batch -> addParts(batch, travellers));
    batches().forEach(batch -> addParts(batch, travellers));
    try (Trial<A> trial = Trial.of(this, directory)) {
      LocalPlans plans = LocalPlans.witnessed(travellers::add, trial.filledTable());
      questions().forEach(question -> plans.run(question.plan()));
      exchanges().forEach(question -> plans.run(question.plan()));
    }
    return travellers;
  }

  private static void addParts(Batch batch, List<Object> parts) {
    parts.add(batch.update());
    parts.addAll(batch.records());
  }
}
