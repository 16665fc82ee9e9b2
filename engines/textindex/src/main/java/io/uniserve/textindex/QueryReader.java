package io.uniserve.textindex;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.Excerpt;
import io.uniserve.api.UniserveException;
import io.uniserve.textindex.QueryText.FieldBoost;
import java.util.List;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/**
 * Reads what users write. A query that only excludes is taken to exclude from everything, as in
 * Solr.
 */
record QueryReader(SearchSchema schema) {
  /** The longest query, in characters. */
  static final int CHARACTERS_MAX = 256 << 10;

  /** The deepest nesting of parentheses. */
  static final int DEPTH_MAX = 100;

  /** The most fields that each word of a query is searched in. */
  static final int FIELDS_MAX = 100;

  /**
   * The query that a text means.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming the query and the
   *     place where it cannot be read, or {@link ErrorCode#NOT_FOUND} naming an unknown field
   */
  Query read(QueryText text) {
    Query read =
        switch (text) {
          case QueryText.Lucene query -> lucene(query);
          case QueryText.Edismax query -> edismax(query);
        };
    boolean onlyExcludes =
        read instanceof BooleanQuery parts
            && !parts.clauses().isEmpty()
            && parts.clauses().stream().allMatch(BooleanClause::isProhibited);
    return onlyExcludes
        ? copyOf((BooleanQuery) read).add(MatchAllDocsQuery.INSTANCE, Occur.MUST).build()
        : read;
  }

  private Query lucene(QueryText.Lucene query) {
    List<FieldBoost> fields =
        query.defaultField().or(schema::defaultField).stream()
            .map(name -> new FieldBoost(name, 1))
            .toList();
    try {
      return parse(new SchemaQueryParser(schema, fields, 0, query.requireAll()), query.text());
    } catch (ParseException e) {
      throw UniserveException.invalid(where(query) + reason(e, query.text()));
    } catch (UniserveException e) {
      throw new UniserveException(e.code(), where(query) + e.getMessage(), e);
    }
  }

  private static String where(QueryText query) {
    return "query '" + Excerpt.of(query.text()) + "': ";
  }

  /** What Lucene says, without the whole query and without what else it had expected. */
  private static String reason(ParseException failure, String text) {
    String whole = failure.getMessage().replace("Cannot parse '" + text + "': ", "");
    return whole
        .lines()
        .findFirst()
        .orElseThrow()
        .replace(
            "too many boolean clauses",
            "more than " + IndexSearcher.getMaxClauseCount() + " clauses");
  }

  private Query edismax(QueryText.Edismax query) {
    if (query.fields().size() > FIELDS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "a query of more than " + FIELDS_MAX + " fields");
    }
    query.fields().forEach(each -> schema.require(each.field()));
    boolean all = query.requireAll() && query.minimumMatch().isEmpty();
    SchemaQueryParser parser = new SchemaQueryParser(schema, query.fields(), query.tie(), all);
    Query read;
    try {
      read = parse(parser, query.text());
    } catch (ParseException | UniserveException notAnExpression) {
      read = words(parser, query.text());
    }
    return read instanceof BooleanQuery words && query.minimumMatch().isPresent()
        ? atLeast(query.minimumMatch().get(), words)
        : read;
  }

  private static Query words(SchemaQueryParser parser, String text) {
    try {
      return parse(parser, QueryParser.escape(text.replaceAll("\\b(AND|OR|NOT)\\b", " ")));
    } catch (ParseException noWords) {
      return new MatchNoDocsQuery(noWords.getMessage());
    }
  }

  private static Query parse(SchemaQueryParser parser, String text) throws ParseException {
    int depth = 0;
    for (int i = 0; i < text.length() && depth <= DEPTH_MAX; i++) {
      depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
    }
    if (depth > DEPTH_MAX || text.length() > CHARACTERS_MAX) {
      throw new ParseException("longer than 256 Ki characters or deeper than 100");
    }
    try {
      return parser.parse(text);
    } catch (IllegalArgumentException | TooComplexToDeterminizeException | StackOverflowError e) {
      throw new ParseException(UniserveException.reason(e));
    }
  }

  private static Query atLeast(String minimum, BooleanQuery words) {
    int optional = words.getClauses(Occur.SHOULD).size();
    return copyOf(words).setMinimumNumberShouldMatch(minimumMatch(minimum, optional)).build();
  }

  private static BooleanQuery.Builder copyOf(BooleanQuery query) {
    BooleanQuery.Builder copy = new BooleanQuery.Builder();
    query.clauses().forEach(copy::add);
    return copy;
  }

  /** How many of so many words must match, in Solr's notation. */
  static int minimumMatch(String notation, int words) {
    String rule = "100%";
    for (String each : notation.trim().split("\\s+")) {
      String[] condition = each.split("<", 2);
      if (condition.length == 1 || words > number(condition[0])) {
        rule = condition[condition.length - 1];
      }
    }
    int number = number(rule);
    int asked = rule.endsWith("%") ? (int) ((long) words * number / 100) : number;
    return Math.clamp(rule.startsWith("-") ? words + asked : asked, 0, words);
  }

  private static int number(String text) {
    if (!text.matches("-?\\d{1,9}%?")) {
      throw UniserveException.invalid(
          "minimum match '" + Excerpt.of(text) + "' is no number or percentage");
    }
    return Integer.parseInt(text.replace("%", ""));
  }
}
