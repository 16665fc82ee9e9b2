package io.uniserve.surfaces;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.util.regex.Pattern;

/** Descriptions of errors in JSON, without names of the parser's classes. */
public final class JsonProblem {
  private static final Pattern SOURCE =
      Pattern.compile("\\[Source: [^;\\]]*; line: (\\d+), column: (\\d+)\\]");
  private static final Pattern SETTING = Pattern.compile(", from `[^`]*`");

  private JsonProblem() {}

  /** Describes an error and, if the place is known, its line and column. */
  public static String describe(IOException failure) {
    if (!(failure instanceof JsonProcessingException malformed)) {
      return String.valueOf(failure.getMessage());
    }
    String why = SOURCE.matcher(malformed.getOriginalMessage()).replaceAll("line $1, column $2");
    JsonLocation at = malformed.getLocation(); // an excess over a bound may have no location
    return SETTING.matcher(why).replaceAll("")
        + (at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr());
  }
}
