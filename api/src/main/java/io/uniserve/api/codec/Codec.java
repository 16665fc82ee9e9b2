package io.uniserve.api.codec;

/**
 * A writer and reader of one type of value. Codecs have no state and are safe for use by many
 * threads.
 *
 * @param <T> the values
 */
public interface Codec<T> {
  /** Appends the value. */
  void write(T value, Encoder out);

  /**
   * Reads one value.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#CORRUPT} if the bytes do not hold one
   */
  T read(Decoder in);
}
