package io.uniserve.bench.olap;

import java.util.List;

/** The two queries of the paper's benchmark, in both languages (DPA §7). */
enum OlapQuery {
  /** Sums of four columns. */
  SUM_ALL(
      "sum_all",
      """
      {"queryType":"timeseries","dataSource":"lineitem","granularity":"all","intervals":["%s"],
       "aggregations":[
         {"type":"doubleSum","name":"quantity","fieldName":"l_quantity"},
         {"type":"doubleSum","name":"price","fieldName":"l_extendedprice"},
         {"type":"doubleSum","name":"discount","fieldName":"l_discount"},
         {"type":"doubleSum","name":"tax","fieldName":"l_tax"}],
       "context":{"useCache":false,"populateCache":false}}""",
      "select sum(l_quantity), sum(l_extendedprice), sum(l_discount), sum(l_tax) from lineitem",
      List.of("quantity", "price", "discount", "tax")),
  /** Groups by part, of which the hundred with the largest quantity are told. */
  PARTS_DETAILS(
      "parts_details",
      """
      {"queryType":"groupBy","dataSource":"lineitem","granularity":"all","intervals":["%s"],
       "dimensions":["l_partkey"],
       "aggregations":[
         {"type":"doubleSum","name":"quantity","fieldName":"l_quantity"},
         {"type":"doubleSum","name":"price","fieldName":"l_extendedprice"},
         {"type":"doubleMin","name":"least","fieldName":"l_discount"},
         {"type":"doubleMax","name":"most","fieldName":"l_discount"}],
       "limitSpec":{"type":"default","limit":100,"columns":[
         {"dimension":"quantity","direction":"descending","dimensionOrder":"numeric"},
         {"dimension":"l_partkey","direction":"ascending"}]},
       "context":{"useCache":false,"populateCache":false}}""",
      "select cast(l_partkey as varchar) as part, sum(l_quantity) as quantity, sum(l_extendedprice),"
          + " min(l_discount), max(l_discount) from lineitem group by 1 order by quantity desc, part"
          + " limit 100",
      List.of("l_partkey", "quantity", "price", "least", "most"));

  /** All of the data's time. */
  static final String ALWAYS = "1990-01-01/2000-01-01";

  private final String title;
  private final String json;
  private final String sql;
  private final List<String> fields;

  OlapQuery(String title, String json, String sql, List<String> fields) {
    this.title = title;
    this.json = json;
    this.sql = sql;
    this.fields = fields;
  }

  String title() {
    return title;
  }

  /** Returns the query in Druid's JSON. */
  String json(String interval) {
    return json.formatted(interval).replace("\n", "");
  }

  String sql() {
    return sql;
  }

  /** Returns the names of the values of an answer's row, in the order of SQL's. */
  List<String> fields() {
    return fields;
  }
}
