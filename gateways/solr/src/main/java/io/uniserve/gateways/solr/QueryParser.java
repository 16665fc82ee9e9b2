package io.uniserve.gateways.solr;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.surfaces.ParameterForms;
import io.uniserve.textindex.query.QueryText;
import io.uniserve.textindex.query.QueryText.FieldBoost;
import io.uniserve.textindex.schema.FieldDefinition;
import io.uniserve.textindex.schema.SearchSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.solr.common.params.MapSolrParams;
import org.apache.solr.common.params.SolrParams;

/** The parser of the values of {@code q}, {@code fq} and {@code facet.query}. */
record QueryParser(SearchSchema schema, SolrParams parameters) {
  private static final List<String> OF_ONE_PARSER = List.of("qf", "mm", "tie", "df", "q.op", "f");
  private static final Map<String, List<String>> OF_PARSERS =
      Map.of(
          "lucene", List.of("df", "q.op"),
          "edismax", List.of("qf", "mm", "tie", "df", "q.op"),
          "term", List.of("f"));
  private static final Pattern LOCAL =
      Pattern.compile("\\s*+(?:([\\w.]++)=)?(?:'([^'\\\\]*+)'|\"([^\"\\\\]*+)\"|([^\\s}'\"$]++))");

  /**
   * A text and the local parameters before it, {@code {!type name=value name='quoted'}text}.
   *
   * @param local the local parameters; a name without a value is the {@code type}
   * @param text the text after them
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
        if (local.put(name, quoted == null ? item.group(4) : quoted) != null) {
          throw UniserveException.invalid(
              "local parameter '" + Excerpt.of(name) + "' is given twice");
        }
      }
      end = item.regionStart();
      if (!text.startsWith("}", end)) {
        throw UniserveException.invalid("local parameters cannot be read: " + Excerpt.of(text));
      }
    }
    SolrParams parameters = new MapSolrParams(local);
    Supported.LOCAL.check(parameters);
    return new LocalText(parameters, text.substring(end + 1));
  }

  /**
   * Returns the query of {@code q}, else of {@code q.alt}, else one that matches nothing, as Solr
   * does.
   */
  QueryText main() {
    String text = parameters.get("q", "");
    return text.isBlank()
        ? parse(given("q.alt", parameters).orElse("*:* -*:*"), "lucene")
        : parse(text, parameters.get("defType", "lucene"));
  }

  /** Returns the queries of {@code fq} that are not empty. */
  List<QueryText> filters() {
    return Facets.all("fq", parameters).stream()
        .filter(filter -> !filter.isBlank())
        .map(query -> parse(query, "lucene"))
        .toList();
  }

  QueryText parse(String query, String parser) {
    LocalText split = split(query);
    String text = split.text;
    SolrParams scope = SolrParams.wrapDefaults(split.local, parameters);
    boolean all = scope.get("q.op", "OR").equalsIgnoreCase("AND");
    Optional<String> minimumMatch = Optional.ofNullable(scope.get("mm"));
    String type = split.local.get("type", parser);
    for (String name : OF_ONE_PARSER) {
      if (split.local.get(name) != null && !OF_PARSERS.get(type).contains(name)) {
        throw UniserveException.invalid(
            "local parameter '" + name + "' is not supported by " + type);
      }
    }
    return switch (type) {
      case "edismax" ->
          new QueryText.Edismax(
              text, searchedFields(scope), minimumMatch, all, scope.getFloat("tie", 0));
      case "term" -> term(scope.required().get("f"), text);
      default -> new QueryText.Lucene(text, Optional.ofNullable(scope.get("df")), all);
    };
  }

  /** Returns the value of a parameter if it is present and not blank. */
  private static Optional<String> given(String name, SolrParams scope) {
    return Optional.ofNullable(scope.get(name)).filter(value -> !value.isBlank());
  }

  private QueryText term(String field, String value) {
    if (schema.require(field).type() == FieldDefinition.Type.TEXT) {
      throw ParameterForms.unsupported("{!term f=" + field + "} on a text field");
    }
    return QueryText.lucene(field + ":\"" + value.replaceAll("[\"\\\\]", "\\\\$0") + "\"");
  }

  /** Returns the fields of {@code qf}, else of {@code df}, else the schema's default. */
  List<FieldBoost> searchedFields(SolrParams scope) {
    List<FieldBoost> fields = new ArrayList<>();
    String listed =
        given("qf", scope)
            .or(() -> given("df", scope))
            .or(schema::defaultField)
            .orElseThrow(
                () -> UniserveException.invalid("neither qf nor a default field is given"));
    for (String item : listed.trim().split("[\\s,]+")) {
      if (!item.matches("[^^]+(\\^(\\d{1,9}\\.?\\d{0,9}|\\.\\d{1,9}))?")) {
        throw UniserveException.invalid(
            "qf: '" + Excerpt.of(item) + "' is not a field with or without ^boost");
      }
      String[] parts = (item + "^1").split("\\^");
      fields.add(new FieldBoost(parts[0], Float.parseFloat(parts[1])));
    }
    return fields;
  }
}
