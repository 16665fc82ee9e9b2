package io.uniserve.node.http.access;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The console: a page and its parts, from the program's own resources. */
public final class ConsolePages {
  private static final Map<String, String> TYPES = new LinkedHashMap<>();

  static {
    TYPES.put("index.html", "text/html; charset=utf-8");
    TYPES.put("console.css", "text/css; charset=utf-8");
    for (String script :
        List.of(
            "console", "copies", "dom", "events", "order", "ring", "scans", "search", "servers",
            "session", "spark")) {
      TYPES.put(script + ".js", "text/javascript; charset=utf-8");
    }
    TYPES.put("icon.svg", "image/svg+xml");
  }

  /** Returns whether a path is one of the console's. */
  static boolean has(String path) {
    return path.equals("/") || path.startsWith("/") && TYPES.containsKey(path.substring(1));
  }

  public void mount(RoutesConfig routes) {
    TYPES.forEach(
        (name, type) -> {
          byte[] contents = read(name);
          routes.get("/" + name, context -> answer(context, type, contents));
          if (name.equals("index.html")) {
            routes.get("/", context -> answer(context, type, contents));
          }
        });
  }

  private static void answer(Context context, String type, byte[] contents) {
    context
        .header("Cache-Control", "no-cache")
        .header("X-Content-Type-Options", "nosniff")
        .header(
            "Content-Security-Policy",
            "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'")
        .contentType(type)
        .result(contents);
  }

  private static byte[] read(String name) {
    try (InputStream in = ConsolePages.class.getResourceAsStream("/console/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its resource console/" + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
