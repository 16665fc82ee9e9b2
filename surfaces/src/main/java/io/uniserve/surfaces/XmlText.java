package io.uniserve.surfaces;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of an XML document. */
public final class XmlText {
  private static final Pattern DECLARED =
      Pattern.compile(
          "^(?:\u00ef\u00bb\u00bf)?<\\?xml[^>]*?\\sencoding\\s*=\\s*[\"']([^\"']*)[\"']");
  private static final int DECLARATION_BYTES_MAX = 200;

  private XmlText() {}

  /**
   * Decodes a document in the charset that its sender names, else in that of its byte order mark or
   * its declaration, else in UTF-8.
   *
   * @param told the charset that the sender names
   * @throws io.uniserve.api.error.UniserveException naming the first byte that is no character of
   *     the charset, or a charset that does not exist
   */
  public static String decode(byte[] document, Optional<Charset> told) {
    Charset charset = told.orElseGet(() -> own(document));
    return OutsideText.withoutMark(OutsideText.decode(document, charset, "the XML"));
  }

  private static Charset own(byte[] document) {
    int first = document.length < 2 ? 0 : (document[0] & 0xff) << 8 | document[1] & 0xff;
    if (first == 0xfeff || first == 0xfffe) {
      return StandardCharsets.UTF_16;
    }
    if (first == '<') {
      return StandardCharsets.UTF_16BE;
    }
    if (first == '<' << 8) {
      return StandardCharsets.UTF_16LE;
    }
    int length = Math.min(DECLARATION_BYTES_MAX, document.length);
    Matcher declared =
        DECLARED.matcher(new String(document, 0, length, StandardCharsets.ISO_8859_1));
    return declared.find() ? OutsideText.charsetNamed(declared.group(1)) : StandardCharsets.UTF_8;
  }
}
