package io.uniserve.node.text;

import io.uniserve.surfaces.OutsideText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The reading of small files of text, in UTF-8. */
public final class TextFile {
  private TextFile() {}

  /**
   * Returns the text of a file, without a byte order mark.
   *
   * @throws io.uniserve.api.error.UniserveException naming the line that is not UTF-8
   */
  public static String read(Path file) throws IOException {
    byte[] text = Files.readAllBytes(file);
    return new String(
        OutsideText.utf8(text, StandardCharsets.UTF_8, file.toString()), StandardCharsets.UTF_8);
  }
}
