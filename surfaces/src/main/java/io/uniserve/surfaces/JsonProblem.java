package io.uniserve.surfaces;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.util.regex.Pattern;

/** What is wrong with JSON, told without names of the parser. */
public final class JsonProblem {
  private static final Pattern SOURCE =
      Pattern.compile("\\[Source: [^;\\]]*; line: (\\d+), column: (\\d+)\\]");
  private static final Pattern SETTING = Pattern.compile(", from `[^`]*`");

  private JsonProblem() {}

  /** What is wrong and, where a place is known, on which line and in which column. */
  public static String describe(IOException failure) {
    if (!(failure instanceof JsonProcessingException malformed)) {
      return String.valueOf(failure.getMessage());
    }
    String why = SOURCE.matcher(malformed.getOriginalMessage()).replaceAll("line $1, column $2");
    JsonLocation at = malformed.getLocation(); // what exceeds a bound may have none
    return SETTING.matcher(why).replaceAll("")
        + (at == null ? "" : ", line " + at.getLineNr() + ", column " + at.getColumnNr());
  }
}
