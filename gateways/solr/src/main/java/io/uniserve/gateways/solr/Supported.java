package io.uniserve.gateways.solr;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Scanner;
import java.util.regex.Pattern;
import org.apache.solr.common.params.SolrParams;

/**
 * The parameters that are understood, and which values of them; all others are refused by name. The
 * files of this package list them.
 *
 * @param values what a parameter's values look like, by its name
 */
record Supported(Map<String, Pattern> values) {
  static final Supported SEARCH = read("search.parameters");
  static final Supported UPDATE = read("update.parameters");
  static final Supported LOCAL = read("local.parameters");

  private static final Pattern OF_FIELD = Pattern.compile("f\\..+?\\.(?=facet\\.|split|separator)");

  private static Supported read(String file) {
    Map<String, Pattern> values = new LinkedHashMap<>();
    InputStream in = Supported.class.getResourceAsStream(file);
    try (Scanner lines = new Scanner(in, StandardCharsets.UTF_8)) {
      for (lines.nextLine(); lines.hasNextLine(); ) {
        String[] words = lines.nextLine().split(" ");
        Pattern pattern = Pattern.compile(words[0], Pattern.DOTALL);
        Arrays.stream(words).skip(1).forEach(name -> values.put(name, pattern));
      }
    }
    return new Supported(values);
  }

  /** These parameters, if all are understood. */
  SolrParams check(SolrParams parameters) {
    for (Map.Entry<String, String[]> parameter : parameters) {
      String name = parameter.getKey();
      Pattern pattern = values.get(OF_FIELD.matcher(name).replaceFirst(""));
      if (pattern == null) {
        throw unsupported(name);
      }
      for (String value : parameter.getValue()) {
        if (!pattern.matcher(value).matches()) {
          throw UniserveException.invalid(name + "=" + value + ": must be " + pattern);
        }
      }
    }
    return parameters;
  }

  static UniserveException unsupported(String what) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED, "parameter '" + what + "' is not supported");
  }
}
