package io.uniserve.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.node.access.Access;
import io.uniserve.node.access.Rights;
import io.uniserve.node.access.TokenFile;
import io.uniserve.node.access.Tokens;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.LocalClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The login to the console of a cluster that asks for tokens, in a real browser. */
@Timeout(120)
class LoginTest {
  private final LocalClient cluster = new LocalClient();

  @TempDir private Path directory;
  private TokenFile tokens;
  private HttpService service;
  private Browser browser;

  @BeforeEach
  void start() throws Exception {
    browser = Browser.start(directory);
    cluster.createNotes("notes");
    tokens = new TokenFile(directory.resolve("tokens"));
    tokens.create("first", Rights.ALL);
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
    }
    if (service != null) {
      service.close();
    }
  }

  private void visit(Access access) throws Exception {
    service =
        new HttpService(
            cluster, List.of(), HttpSettings.onPort(0).secured(access, Optional.empty()));
    browser.visit("http://127.0.0.1:" + service.port() + "/");
  }

  @Test
  void letsInThoseWithATokenUntilTheyLogOut() throws Exception {
    String token = tokens.create("ada", Rights.ALL);
    visit(Access.byToken(new Tokens(tokens)));
    browser.await("!document.getElementById('login').hidden");
    assertThat(browser.run("return document.getElementById('main').hidden")).isEqualTo(true);

    login("uniserve_wrong");
    browser.await(text("login-status") + ".includes('no such token')");

    login(token);
    browser.await(text("summary") + ".includes('1 of 1 server alive')");
    browser.await("document.querySelector('#grid .cell.primary')");
    browser.await(
        "document.querySelectorAll('#servers .line path').length > 0"); // events arrive, too
    assertThat(browser.run("return " + text("caller"))).isEqualTo("ada");
    assertThat(
            (String)
                browser.run(
                    "return location.href + document.cookie + JSON.stringify(localStorage)"
                        + " + performance.getEntriesByType('resource').map(e => e.name).join()"))
        .as("neither in an address nor where a script can read it")
        .doesNotContain(token)
        .doesNotContain("uniserve_session");

    browser.run("document.getElementById('logout').click()");
    browser.await("!document.getElementById('login').hidden");
  }

  @Test
  void aRevokedTokenEndsTheSession() throws Exception {
    String token = tokens.create("bob", Rights.ALL);
    visit(Access.byToken(new Tokens(tokens)));
    browser.await("!document.getElementById('login').hidden");
    login(token);
    browser.await(text("summary") + ".includes('1 of 1 server alive')");
    tokens.revoke("bob");
    browser.await("!document.getElementById('login').hidden");
  }

  @Test
  void saysWhatATokenMayNotSee() throws Exception {
    String token =
        tokens.create("eve", new Rights(false, new TreeSet<>(Set.of("notes")), new TreeSet<>()));
    visit(Access.byToken(new Tokens(tokens)));
    browser.await("!document.getElementById('login').hidden");
    login(token);
    browser.await(text("summary") + ".includes('may not see the whole cluster')");
  }

  @Test
  void warnsOfAnOpenCluster() throws Exception {
    visit(Access.insecure());
    browser.await(text("insecure") + ".includes('This cluster is open')");
    browser.await(text("summary") + ".includes('1 of 1 server alive')");
    service.close();
    visit(Access.onThisMachine());
    browser.await(text("summary") + ".includes('1 of 1 server alive')");
    assertThat(browser.run("return document.getElementById('insecure').hidden")).isEqualTo(true);
  }

  private void login(String token) throws Exception {
    browser.run(
        "document.getElementById('login-token').value = '"
            + token
            + "'; document.getElementById('login').requestSubmit()");
  }

  private static String text(String id) {
    return "document.getElementById('" + id + "').innerText";
  }
}
