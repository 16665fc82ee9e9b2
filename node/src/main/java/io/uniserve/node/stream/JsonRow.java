package io.uniserve.node.stream;

import io.uniserve.api.error.UniserveException;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import io.uniserve.runtime.client.stream.StreamFormat;
import java.util.Map;

/** The format of records each of which is one object of JSON. */
final class JsonRow implements StreamFormat {
  /** The name by which a stream chooses it. */
  static final String NAME = "jsonl";

  @Override
  public Map<String, Object> row(byte[] value) {
    if (value.length == 0) {
      throw UniserveException.invalid("the record has no value");
    }
    return Settings.object("a record", Json.parse(value, 0, value.length));
  }
}
