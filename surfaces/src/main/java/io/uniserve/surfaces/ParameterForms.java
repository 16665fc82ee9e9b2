package io.uniserve.surfaces;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.regex.Pattern;

/**
 * The parameters that are understood, and the form of their values. All others are refused by name.
 *
 * @param values the form of each parameter's values, by name
 * @param several the parameters that may be given several times
 * @param ofField the parameters that may be given for one field, as {@code f.FIELD.NAME}
 */
public record ParameterForms(Map<String, Form> values, List<String> several, List<String> ofField) {

  /**
   * A form of values.
   *
   * @param wanted a description in words
   * @param pattern the pattern that values match
   */
  public record Form(String wanted, Pattern pattern) {}

  /**
   * Reads a list of parameters. After a line for people it has lines {@code NAME NAME ; description
   * of the values ; regular expression}, then lists {@code several values: NAME NAME} and {@code of
   * a field: NAME NAME}.
   */
  public static ParameterForms read(InputStream in) {
    Map<String, Form> values = new LinkedHashMap<>();
    Map<String, List<String>> lists = new LinkedHashMap<>();
    try (Scanner lines = new Scanner(in, StandardCharsets.UTF_8)) {
      for (lines.nextLine(); lines.hasNextLine(); ) {
        String[] parts = lines.nextLine().split(" ; |: ");
        List<String> names = Arrays.asList(parts[0].split(" "));
        if (parts.length == 3) {
          Form form = new Form(parts[1], Pattern.compile(parts[2], Pattern.DOTALL));
          names.forEach(name -> values.put(name, form));
        } else {
          lists.put(parts[0], Arrays.asList(parts[1].split(" ")));
        }
      }
    }
    return new ParameterForms(
        values,
        lists.getOrDefault("several values", List.of()),
        lists.getOrDefault("of a field", List.of()));
  }

  /**
   * Checks parameters.
   *
   * @throws UniserveException naming the first parameter that is unknown, that has several values
   *     and may not, or whose value has another form
   */
  public void check(Iterable<Map.Entry<String, String[]>> parameters) {
    for (Map.Entry<String, String[]> parameter : parameters) {
      String name = parameter.getKey();
      String general = general(name).orElse(name);
      if (!values.containsKey(general)) {
        throw unsupported(name);
      }
      List<String> given = List.of(parameter.getValue());
      if (!several.contains(general) && given.stream().distinct().count() > 1) {
        throw UniserveException.invalid(
            "parameter '" + Excerpt.of(name) + "' is given " + given.size() + " different values");
      }
      given.forEach(value -> check(name, value, values.get(general)));
    }
  }

  /** Returns the general parameter of one that is given for a field. */
  private Optional<String> general(String name) {
    return ofField.stream()
        .filter(each -> name.startsWith("f.") && name.endsWith("." + each))
        .filter(each -> name.length() > "f..".length() + each.length())
        .findFirst();
  }

  private static void check(String name, String value, Form form) {
    if (!form.pattern.matcher(value).matches()) {
      throw UniserveException.invalid(
          Excerpt.of(name) + "=" + Excerpt.of(value) + ": must be " + form.wanted);
    }
  }

  /** Makes the error for a parameter that is not understood. */
  public static UniserveException unsupported(String what) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED, "parameter '" + Excerpt.of(what) + "' is not supported");
  }
}
