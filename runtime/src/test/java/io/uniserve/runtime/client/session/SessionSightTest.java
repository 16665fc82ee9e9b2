package io.uniserve.runtime.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.runtime.client.context.SeenVersions;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import org.junit.jupiter.api.Test;

class SessionSightTest {
  private static final long TABLE = 1;

  private final SeenVersions client = new SeenVersions();
  private final SessionSight sight = new SessionSight(client, TABLE);

  @Test
  void theNewestItemIsThatOfTheOrderWhateverIsHeardLast() {
    assertThat(sight.newest()).contains(Mark.NONE);
    Mark mark = new Mark(5, 2, 1);
    sight.sawLater(mark);
    sight.sawPlace(5);
    assertThat(sight.newest()).as("the mark comes after its number").contains(mark);
    sight.sawPlace(6);
    assertThat(sight.newest()).contains(Mark.ofPlace(6));
    assertThat(new SessionSight(client, TABLE).newest()).contains(Mark.ofPlace(6));
    assertThat(new SessionSight(client, TABLE + 1).newest()).contains(Mark.NONE);
  }

  @Test
  void aSessionThatWasNotToldAPlaceDoesNotKnowTheNewestUntilAnAnswerComesAfterIt() {
    sight.sawPlace(5);
    sight.sawPlace(0);
    assertThat(sight.newest()).isEmpty();
    assertThat(new SessionSight(client, TABLE).newest()).as("of the next session").isEmpty();
    Mark mark = new Mark(7, 2, 1);
    sight.sawLater(mark);
    assertThat(sight.newest()).contains(mark);
  }
}
