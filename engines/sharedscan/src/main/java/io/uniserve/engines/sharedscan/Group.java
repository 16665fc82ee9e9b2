package io.uniserve.engines.sharedscan;

import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A group of an actor's records.
 *
 * @param key the values that they have in common, in {@linkplain
 *     io.uniserve.engines.sharedscan.data.Cells compact form}
 * @param values the aggregates: a number for counts, a text for sums, a stored value for extremes;
 *     null for those of no value
 */
@Name("Group")
public record Group(ByteBuffer key, List<Object> values) {
  /** Copies the values. */
  public Group {
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }
}
