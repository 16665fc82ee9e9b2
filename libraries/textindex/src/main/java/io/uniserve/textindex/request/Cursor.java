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
 * Where a page ended. The next page begins behind it, whatever was added or deleted in between.
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

  /** This cursor as text that is safe in a URL. */
  public String token() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(TYPES.encode(this));
  }

  /**
   * The cursor of which {@link #token} is the text.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if it
   *     is none
   */
  public static Cursor of(String token) {
    try {
      return (Cursor) TYPES.decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(token)));
    } catch (IllegalArgumentException | UniserveException e) {
      throw UniserveException.invalid("'" + Excerpt.of(token) + "' is not a cursor");
    }
  }
}
