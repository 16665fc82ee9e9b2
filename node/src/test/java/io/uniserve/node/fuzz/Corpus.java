package io.uniserve.node.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.solr.client.solrj.request.JavaBinUpdateRequestCodec;
import org.apache.solr.client.solrj.request.UpdateRequest;
import org.apache.solr.common.SolrInputDocument;

/** Requests with good answers, and their parts. */
final class Corpus {
  private static final String SELECT = "/solr/films/select?";

  /** Parameters of searches, with meaningful values. */
  private static final List<String> PARAMETERS =
      List.of(
          "q=title:metropolis AND year:[1920 TO 1930]",
          "q={!edismax qf='title^2 text' mm=2}the last man",
          "q=title:/metr.*s/ OR title:metro* OR title:metrpolis~2",
          "q=\"city of metropolis\"~3^2",
          "q=*:*",
          "fq={!term f=genre}drama",
          "fq=-genre:comedy",
          "sort=year desc,score asc",
          "fl=id,title,score",
          "start=2",
          "rows=5",
          "cursorMark=*",
          "facet=true",
          "facet.field={!key=g}genre",
          "facet.query=year:[* TO 1925}",
          "facet.range=year",
          "facet.range.start=1900",
          "facet.range.end=1950",
          "facet.range.gap=10",
          "f.genre.facet.limit=3",
          "hl=true",
          "hl.fl=title",
          "hl.snippets=2",
          "defType=edismax",
          "qf=title^3 text",
          "mm=2<75%",
          "tie=0.1",
          "q.op=AND",
          "df=title",
          "wt=javabin",
          "json.nl=map",
          "echoParams=all",
          "timeAllowed=100",
          "commit=true",
          "commitWithin=1000",
          "separator=;",
          "f.genre.split=true");

  /** Values that have broken some system before. */
  private static final List<String> NASTY =
      List.of(
          "",
          " ",
          "\u0000",
          "\uFFFF",
          "\uD800",
          "'",
          "\"",
          "\\",
          "((((((",
          "))))",
          "[* TO",
          "{!",
          "{!edismax",
          "{!term f=}",
          "/(((a{1,900})*)+)?/",
          "/[^/",
          "a~9999",
          "a^-1",
          "a^1e99",
          "*a*b*c*d*e*",
          "???????????*",
          "-1",
          "0",
          "2147483647",
          "9223372036854775808",
          "1e308",
          "NaN",
          "true",
          "*",
          "id desc, id asc",
          "_version_:1",
          "title:(a OR b",
          "AND OR NOT",
          "+-!(){}[]^\"~*?:\\/",
          "1970-01-01T00:00:00Z",
          "+1YEAR",
          "+0DAY",
          "a".repeat(3000),
          "%",
          "AoE=");

  private Corpus() {}

  /** Returns complete requests. */
  static List<Request> requests() throws IOException {
    List<Request> requests = new ArrayList<>();
    requests.add(Request.get("/api/tables/films/query?q=title%3Ametropolis&rows=3"));
    requests.add(
        Request.post(
            "/api/tables/films/query",
            "application/json",
            "{\"query\":\"metropolis\",\"options\":{\"rows\":3,\"facets\":\"genre\"}}"));
    requests.add(Request.post("/api/tables/films/records", "application/json", lines()));
    requests.add(
        Request.post(
            "/api/tables/films/records?skipBad=true&acknowledge=all",
            "application/json",
            "[" + lines().strip().replace("\n", ",") + "]"));
    requests.add(
        Request.post("/api/tables", "application/json", "{\"name\":\"t\",\"engine\":\"none\"}"));
    requests.add(Request.get("/api/tables/films"));
    requests.add(Request.get("/api/cluster"));
    requests.add(Request.get("/metrics"));
    requests.add(Request.post("/api/session", "application/json", "{\"token\":\"x\"}"));
    requests.add(Request.get(SELECT + "q=title:metropolis&fl=id,score&wt=json&facet=true"));
    requests.add(
        Request.post(
            "/solr/films/select",
            "application/x-www-form-urlencoded",
            "q=metropolis&sort=year+desc&facet=true&facet.field=genre&hl=true"));
    requests.addAll(updates());
    return requests;
  }

  private static String lines() {
    return "{\"id\":\"z1\",\"title\":\"Metropolis\",\"year\":1927,\"genre\":[\"drama\"]}\n"
        + "{\"id\":\"z2\",\"title\":\"Faust\",\"year\":1926,\"genre\":[\"drama\",\"horror\"]}\n";
  }

  private static List<Request> updates() throws IOException {
    return List.of(
        Request.post(
            "/solr/films/update?commit=true",
            "application/json",
            "[{\"id\":\"z3\",\"title\":\"Nosferatu\",\"year\":1922}]"),
        Request.post(
            "/solr/films/update",
            "application/json",
            "{\"add\":{\"doc\":{\"id\":\"z4\",\"title\":\"M\"},\"commitWithin\":5000},"
                + "\"delete\":{\"id\":\"z9\"},\"commit\":{}}"),
        Request.post(
            "/solr/films/update?f.genre.split=true",
            "text/csv",
            "id,title,year\nz5,\"a,b\",1930\n"),
        Request.post(
            "/solr/films/update",
            "text/xml",
            "<update><add><doc><field name=\"id\">z6</field><field name=\"title\">x</field></doc>"
                + "</add><delete><id>z7</id><query>title:none</query></delete></update>"),
        new Request("POST /solr/films/update?wt=javabin", "application/javabin", javabin()));
  }

  private static byte[] javabin() throws IOException {
    UpdateRequest update = new UpdateRequest();
    update.add(new SolrInputDocument("id", "z8", "title", "Der letzte Mann", "year", "1924"));
    update.deleteById("z7");
    update.setParam("commitWithin", "1000");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new JavaBinUpdateRequestCodec().marshal(update, out);
    return out.toByteArray();
  }

  /** Returns a search of random parameters, some with nasty values. */
  static Request search(Random random) {
    List<String> chosen = new ArrayList<>();
    int count = random.nextInt(6) + 1;
    for (int i = 0; i < count; i++) {
      String parameter = PARAMETERS.get(random.nextInt(PARAMETERS.size()));
      int equals = parameter.indexOf('=');
      String value = parameter.substring(equals + 1);
      chosen.add(parameter.substring(0, equals) + "=" + encode(value(value, random)));
    }
    String query = String.join("&", chosen);
    return random.nextBoolean()
        ? Request.get(SELECT + query)
        : Request.post("/solr/films/select", "application/x-www-form-urlencoded", query);
  }

  private static String value(String value, Random random) {
    String nasty = NASTY.get(random.nextInt(NASTY.size()));
    int at = random.nextInt(value.length() + 1);
    return switch (random.nextInt(4)) {
      case 0 -> nasty;
      case 1 -> value.substring(0, at) + nasty + value.substring(at);
      default -> value;
    };
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }
}
