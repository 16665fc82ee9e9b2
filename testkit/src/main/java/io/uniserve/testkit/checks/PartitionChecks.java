package io.uniserve.testkit.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.Actor;
import io.uniserve.testkit.engine.EngineUnderTest;
import io.uniserve.testkit.engine.Trial;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks that answers do not depend on the partitioning of a table. */
public interface PartitionChecks<A extends Actor> extends EngineUnderTest<A> {

  @ParameterizedTest(name = "{0} actors")
  @ValueSource(ints = {1, 3, 7})
  @DisplayName("the same records answer equally on any number of actors")
  default void anyNumberOfActorsAnswersEqually(int actors, @TempDir Path directory)
      throws IOException {
    try (Trial<A> whole = Trial.of(this, directory);
        Trial<A> cut = Trial.of(this, directory.resolve("cut"), actors)) {
      LocalTable<A> table = cut.filledTable();

      cut.assertFilled(table);
      assertThat(cut.answers(table))
          .as("answers of %d actors", actors)
          .isEqualTo(whole.answers(whole.filledTable()));
      assertThat(cut.answers(cut.deserialize(cut.serialize(table))))
          .as("answers of %d deserialised actors", actors)
          .isEqualTo(cut.answers(table));
    }
  }
}
