package io.uniserve.streams.kafka;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.client.stream.StreamSource;
import io.uniserve.runtime.client.stream.StreamSourceKind;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import java.util.Map;

/** Kafka as a kind of source. */
public final class KafkaKind implements StreamSourceKind {
  /** The name by which a stream chooses it. */
  public static final String NAME = "kafka";

  private static final String HOST_PORT = "(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9_.-]+):[0-9]{1,5}";
  private static final int PORT_MAX = 65_535;
  private static final int TOPIC_CHARACTERS_MAX = 249;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void validate(StreamDefinition definition) {
    for (String one : definition.address().split(",", -1)) {
      if (!one.strip().matches(HOST_PORT) || port(one.strip()) > PORT_MAX) {
        throw UniserveException.invalid(
            "kafka: must be host:port, or several with commas between, not '"
                + Excerpt.of(definition.address())
                + "'");
      }
    }
    String topic = definition.topic();
    if (!topic.matches("[A-Za-z0-9._-]+")
        || topic.length() > TOPIC_CHARACTERS_MAX
        || topic.equals(".")
        || topic.equals("..")) {
      throw UniserveException.invalid(
          "topic: Kafka has no topic of the name '" + Excerpt.of(topic) + "'");
    }
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  @Override
  public StreamSource open(StreamDefinition definition, Map<String, String> properties) {
    validate(definition);
    return KafkaTopic.open(definition.address(), definition.topic(), properties);
  }
}
