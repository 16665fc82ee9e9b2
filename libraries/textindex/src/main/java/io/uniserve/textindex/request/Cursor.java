package io.uniserve.textindex.request;

import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collections;
import java.util.List;

/**
 * The end of a page. The next page begins behind it, even if documents were added or deleted in
 * between.
 *
 * @param values the sort values of the page's last hit
 */
@Name("Cursor")
public record Cursor(List<Object> values) {
  private static final TypeRegistry TYPES = TypeRegistry.of(List.of(Cursor.class));

  /** Freezes the values. */
  public Cursor {
    values = Collections.unmodifiableList(values);
  }

  /** Returns this cursor as a text that is safe in a URL. */
  public String token() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(TYPES.encode(this));
  }

  /**
   * Parses the text of {@link #token}.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if the
   *     text is no cursor
   */
  public static Cursor of(String token) {
    try {
      return (Cursor) TYPES.decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(token)));
    } catch (IllegalArgumentException | UniserveException e) {
      throw UniserveException.invalid("'" + Excerpt.of(token) + "' is not a cursor");
    }
  }
}
