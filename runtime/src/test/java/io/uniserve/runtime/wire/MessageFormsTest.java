package io.uniserve.runtime.wire;

import io.uniserve.runtime.wire.entry.Engines;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The forms of messages between processes, and of updates in logs. */
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
