package io.uniserve.gateways.solr;

import io.uniserve.api.UniserveException;
import io.uniserve.textindex.FieldDefinition;
import io.uniserve.textindex.QueryText;
import io.uniserve.textindex.QueryText.FieldBoost;
import io.uniserve.textindex.SearchSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.solr.common.params.MapSolrParams;
import org.apache.solr.common.params.SolrParams;

/** Reads the values of {@code q}, {@code fq} and {@code facet.query}. */
record QueryParser(SearchSchema schema, SolrParams parameters) {
  private static final Pattern LOCAL =
      Pattern.compile("\\s*+(?:([\\w.]++)=)?(?:'([^'\\\\]*+)'|\"([^\"\\\\]*+)\"|([^\\s}'\"$]++))");

  /**
   * A text and the local parameters before it, {@code {!type name=value name='quoted'}text}.
   *
   * @param local a name that stands alone is the {@code type}
   * @param text what follows them
   */
  record LocalText(SolrParams local, String text) {}

  static LocalText split(String text) {
    Map<String, String> local = new LinkedHashMap<>();
    int end = -1;
    if (text.startsWith("{!")) {
      Matcher item = LOCAL.matcher(text).region(2, text.length());
      for (; item.lookingAt(); item.region(item.end(), text.length())) {
        String quoted = item.group(2) == null ? item.group(3) : item.group(2);
        String name = item.group(1) == null ? "type" : item.group(1);
        local.put(name, quoted == null ? item.group(4) : quoted);
      }
      end = item.regionStart();
      if (!text.startsWith("}", end)) {
        throw UniserveException.invalid("local parameters cannot be read: " + text);
      }
    }
    SolrParams parameters = Supported.LOCAL.check(new MapSolrParams(local));
    return new LocalText(parameters, text.substring(end + 1));
  }

  /** The query of {@code q}, else of {@code q.alt}, else one that matches nothing, as Solr does. */
  QueryText main() {
    String text = parameters.get("q", "");
    return text.isBlank()
        ? parse(parameters.get("q.alt", "*:* -*:*"), "lucene")
        : parse(text, parameters.get("defType", "lucene"));
  }

  QueryText parse(String query, String parser) {
    LocalText split = split(query);
    String text = split.text;
    SolrParams scope = SolrParams.wrapDefaults(split.local, parameters);
    boolean all = scope.get("q.op", "OR").equalsIgnoreCase("AND");
    Optional<String> minimumMatch = Optional.ofNullable(scope.get("mm"));
    return switch (split.local.get("type", parser)) {
      case "edismax" ->
          new QueryText.Edismax(
              text, searchedFields(scope), minimumMatch, all, scope.getFloat("tie", 0));
      case "term" -> term(scope.required().get("f"), text);
      default -> new QueryText.Lucene(text, Optional.ofNullable(scope.get("df")), all);
    };
  }

  private QueryText term(String field, String value) {
    if (schema.require(field).type() == FieldDefinition.Type.TEXT) {
      throw Supported.unsupported("{!term f=" + field + "} on a text field");
    }
    return QueryText.lucene(field + ":\"" + value.replaceAll("[\"\\\\]", "\\\\$0") + "\"");
  }

  /** The fields of {@code qf}, else of {@code df}, else the schema's default. */
  List<FieldBoost> searchedFields(SolrParams scope) {
    List<FieldBoost> fields = new ArrayList<>();
    String single = scope.get("df", schema.defaultField().orElse(null));
    String listed = single == null ? scope.required().get("qf") : scope.get("qf", single);
    for (String item : listed.trim().split("[\\s,]+")) {
      if (!item.matches("[^^]+(\\^\\d*\\.?\\d+)?")) {
        throw UniserveException.invalid("qf: '" + item + "' is not a field with or without ^boost");
      }
      String[] parts = (item + "^1").split("\\^");
      fields.add(new FieldBoost(parts[0], Float.parseFloat(parts[1])));
    }
    return fields;
  }
}
