package io.uniserve.node.demo;

import io.uniserve.node.text.Style;
import java.io.PrintStream;

/**
 * The URLs to open and commands to paste while the demo stays up.
 *
 * @param port the port of HTTP
 */
record Farewell(int port, Style style) {

  void print(PrintStream out) {
    String url = "http://localhost:" + port;
    out.println();
    out.println(style.strong("The cluster stays up. Open"));
    out.println("  " + style.cool(url + "/") + "          the console");
    out.println("  " + style.cool(url + "/metrics") + "   metrics for Prometheus");
    out.println();
    out.println(style.strong("Paste into a shell"));
    out.println("  curl '" + url + "/api/tables/movies/query?q=title:casablanca&rows=2'");
    out.println(
        "  curl '"
            + url
            + "/solr/movies/select?q=extract:\"is+also\"&rows=2&facet=true&facet.field=genres'");
    out.println(
        "  ./uniserve query movies 'cast:\"grace kelly\"'" + (port == 8080 ? "" : " --url " + url));
    out.println();
    out.println(style.strong("or into Python") + style.faint("  (pip install pysolr)"));
    out.println("  import pysolr");
    out.println("  movies = pysolr.Solr('" + url + "/solr/movies')");
    out.println(
        "  for film in movies.search('extract:\"time travel\"', sort='year asc', rows=5): print(film['year'], film['title'])");
    out.println();
    out.println(style.strong("or into jshell") + style.faint("  (part of every JDK)"));
    out.println(
        "  var url = java.net.URI.create(\""
            + url
            + "/api/tables/movies/query?q=title:casablanca\")");
    out.println("  new String(url.toURL().openStream().readAllBytes())");
    out.println();
    out.println("Stop it with Ctrl-C.");
  }
}
