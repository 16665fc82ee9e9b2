package io.uniserve.runtime.client.stream;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.stream.StreamDefinition;
import java.util.Map;

/** A kind of {@link StreamSource} that a plug-in provides, found as a service. */
public interface StreamSourceKind {
  /** Returns the name by which a stream chooses it. */
  String name();

  /**
   * Checks a description before the stream is created. Nothing is connected to.
   *
   * @throws UniserveException naming what is wrong
   */
  void validate(StreamDefinition definition);

  /**
   * Opens the topic of a stream.
   *
   * @param properties settings of this process for such sources, which may have secrets
   * @throws UniserveException naming what is wrong, without secrets
   */
  StreamSource open(StreamDefinition definition, Map<String, String> properties);
}
