package io.uniserve.textindex.query;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.textindex.query.QueryText.FieldBoost;
import io.uniserve.textindex.schema.SearchSchema;
import java.util.List;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;

/** The reader of users' queries. */
public record QueryReader(SearchSchema schema) {
  /** The most fields that each word of a query is searched in. */
  static final int FIELDS_MAX = 100;

  /**
   * Parses a query.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming the query and the
   *     place of the error, or {@link ErrorCode#NOT_FOUND} naming an unknown field
   */
  public Query read(QueryText text) {
    try {
      QueryShape.check(text.text());
      return switch (text) {
        case QueryText.Lucene query -> lucene(query);
        case QueryText.Edismax query -> edismax(query);
      };
    } catch (UniserveException e) {
      String where = "query '" + Excerpt.of(text.text()) + "': ";
      throw new UniserveException(e.code(), where + e.getMessage(), e);
    }
  }

  private Query lucene(QueryText.Lucene query) {
    List<FieldBoost> fields =
        query.defaultField().or(schema::defaultField).stream()
            .map(name -> new FieldBoost(name, 1))
            .toList();
    try {
      return parse(SchemaQueryParser.strict(schema, fields, query.requireAll()), query.text());
    } catch (ParseException e) {
      throw UniserveException.invalid(reason(e, query.text()));
    }
  }

  /** Returns Lucene's message without the whole query and the list of expected tokens. */
  private static String reason(ParseException failure, String text) {
    String whole = failure.getMessage().replace("Cannot parse '" + text + "': ", "");
    return whole.lines().findFirst().orElse("cannot be read");
  }

  private Query edismax(QueryText.Edismax query) {
    if (query.fields().size() > FIELDS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "is to be searched in more than " + FIELDS_MAX + " fields");
    }
    query.fields().forEach(each -> schema.require(each.field()));
    boolean all = query.requireAll() && query.minimumMatch().isEmpty();
    SchemaQueryParser parser = SchemaQueryParser.tolerant(schema, query.fields(), query.tie(), all);
    Query read = expressionOrWords(parser, query);
    boolean counts = query.minimumMatch().isPresent() && parser.isOfClauses(read);
    return counts && read instanceof BooleanQuery words
        ? atLeast(query.minimumMatch().get(), words)
        : read;
  }

  /**
   * Parses a text as an expression, or as words if it is none. A text that is too large is an error
   * in either case.
   */
  private static Query expressionOrWords(SchemaQueryParser parser, QueryText.Edismax query) {
    try {
      return parse(parser, query.text());
    } catch (ParseException notAnExpression) {
      return words(parser, query);
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.TOO_LARGE) {
        throw e;
      }
      return words(parser, query);
    }
  }

  private static Query words(SchemaQueryParser parser, QueryText.Edismax query) {
    try {
      return parse(parser, QueryParser.escape(query.text().replaceAll("\\b(AND|OR|NOT)\\b", " ")));
    } catch (ParseException noWords) {
      return new MatchNoDocsQuery(noWords.getMessage());
    }
  }

  /**
   * Parses an expression.
   *
   * @throws ParseException if the text is no expression
   * @throws UniserveException with {@link ErrorCode#TOO_LARGE} if its query exceeds a bound, or
   *     naming a field that does not support the expression
   */
  private static Query parse(SchemaQueryParser parser, String text) throws ParseException {
    try {
      return parser.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParseException(UniserveException.reason(e));
    } catch (TooComplexToDeterminizeException | StackOverflowError e) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "is too complex: " + UniserveException.reason(e), e);
    } catch (ParseException e) {
      if (e.getCause() instanceof IndexSearcher.TooManyClauses tooMany) {
        throw new UniserveException(
            ErrorCode.TOO_LARGE, "has more than " + tooMany.getMaxClauseCount() + " clauses", e);
      }
      throw e;
    }
  }

  private static Query atLeast(String minimum, BooleanQuery words) {
    int optional = words.getClauses(Occur.SHOULD).size();
    BooleanQuery.Builder copy =
        new BooleanQuery.Builder().setMinimumNumberShouldMatch(minimumMatch(minimum, optional));
    words.clauses().forEach(copy::add);
    return copy.build();
  }

  /** Returns the number of words that must match, from Solr's notation. */
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
