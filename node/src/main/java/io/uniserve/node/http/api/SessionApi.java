package io.uniserve.node.http.api;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.access.Access;
import io.uniserve.node.access.Caller;
import io.uniserve.node.json.Json;
import io.uniserve.node.json.Settings;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * {@code /api/session}, for browsers: {@code POST {"token": TOKEN}} begins a session, identified by
 * a cookie that no script can read; {@code DELETE} ends it; {@code GET} returns the caller.
 *
 * @param access identifies callers
 */
public record SessionApi(Access access) {
  public static final String PATH = "/api/session";
  private static final int BODY_BYTES_MAX = 4096;

  public void mount(RoutesConfig routes) {
    routes.get(PATH, this::show);
    routes.post(PATH, this::login);
    routes.delete(PATH, this::logout);
  }

  private void show(Context context) {
    Map<String, Object> session = new LinkedHashMap<>();
    session.put("secured", access.secured());
    session.put("insecure", access.isInsecure());
    session.put("caller", null);
    try {
      Caller caller = access.identify(context.req(), true);
      session.put("caller", caller.name());
      session.put("rights", caller.rights().words());
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.UNAUTHENTICATED) {
        throw e;
      }
      session.put("reason", e.getMessage());
    }
    context
        .header("Cache-Control", "no-store")
        .contentType("application/json")
        .result(Json.bytes(session));
  }

  private void login(Context context) {
    byte[] body = Requests.text(context, BODY_BYTES_MAX);
    Settings request = new Settings("login", Json.parse(body, 0, body.length));
    String token = request.text("token");
    request.finish();
    setCookie(context, access.login(token), "");
    context.status(204);
  }

  private void logout(Context context) {
    access.logout(context.req());
    setCookie(context, "", "; Max-Age=0");
    context.status(204);
  }

  /**
   * Sets the cookie. It ends with the browser, is sent to this origin only, and over TLS only if it
   * came so.
   */
  private static void setCookie(Context context, String value, String end) {
    String secure = context.req().isSecure() ? "; Secure" : "";
    context.header(
        "Set-Cookie",
        Access.COOKIE + "=" + value + "; Path=/api; HttpOnly; SameSite=Strict" + secure + end);
  }
}
