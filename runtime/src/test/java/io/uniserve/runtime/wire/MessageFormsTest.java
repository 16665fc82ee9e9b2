package io.uniserve.runtime.wire;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What processes send to each other, and what logs have of updates. */
class MessageFormsTest {
  private final Engines engines = new Engines(List.of());

  @Test
  void messagesHaveTheirBytes() {
    RuntimeForms.check("messages", new WireCodec(engines).form());
  }

  @Test
  void logEntriesHaveTheirBytes() {
    RuntimeForms.check("log-entries", engines.logEntries().form());
  }
}
