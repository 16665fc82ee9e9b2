package io.uniserve.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.api.partition.RingPlaces;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.notes.LocalClient;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.ring.RingMember;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console in a real browser. */
@Timeout(120)
class ConsoleTest {
  private final LocalClient cluster = new LocalClient();
  private final HttpService service = new HttpService(cluster, List.of(), HttpSettings.onPort(0));
  private final String url = "http://127.0.0.1:" + service.port();
  private Browser browser;

  @TempDir private Path directory;

  @BeforeEach
  void start() throws Exception {
    browser = Browser.start(directory);
  }

  @AfterEach
  void stop() {
    if (browser != null) {
      browser.close();
    }
    service.close();
  }

  @Test
  void showsAnEmptyCluster() throws Exception {
    browser.visit(url + "/");
    browser.await(text("summary") + ".includes('1 of 1 server alive, 0 tables')");
    browser.await(text("grid") + ".includes('There is no table yet')");
    browser.await(text("events") + ".includes('Nothing has changed')");
    browser.run("document.getElementById('search-form').requestSubmit()");
    browser.await(text("search-status") + ".includes('no table to search')");
    assertThat(browser.messages()).isEmpty();
  }

  @Test
  void followsTheClusterAsItChanges() throws Exception {
    browser.visit(url + "/");
    browser.await(text("servers") + ".includes('alive for')");
    cluster.createNotes("notes");
    browser.await("document.querySelector('#grid .cell.primary')");
    browser.await(text("events") + ".includes('table notes created')");
    browser.await(text("table-facts") + ".includes('all copies are ready')");
    browser.await("document.querySelectorAll('#servers .line path').length === 4");
    cluster.change(new ControlRecord.ServerFailed("s1", 1, "no answer to s2"));
    browser.await(text("events") + ".includes('s1 failed')");
    browser.await("document.querySelector('#grid .cell.lost')");
    browser.await("document.querySelector('#servers .card.failed')");
    browser.await(text("table-facts") + ".includes('1 actor waits for a complete copy on s1')");
    assertThat(browser.messages()).isEmpty();
  }

  @Test
  void saysWhatWasLostAndFromWhenToWhen() throws Exception {
    cluster.createNotes("notes");
    ActorId actor = new ActorId(cluster.state().requireTable("notes").id(), 0);
    String lost = "updates from 2024-05-01T10:00:00Z to 2024-05-01T10:00:02Z may be lost";
    browser.visit(url + "/");
    browser.await(text("events") + ".includes('notes/0 is ready on s1')");
    cluster.change(new ControlRecord.LossAccepted(actor, "after 30 s; " + lost));
    browser.await(text("events") + ".includes('notes/0 goes on without its lost data')");
    browser.await(text("events") + ".includes('after 30 s; " + lost + "')");
    cluster.recover("notes", "an operator accepted the loss; " + lost);
    browser.await(text("events") + ".includes('table notes goes on without its lost data')");
    browser.await(
        text("table-facts")
            + ".includes('Recovered at 2024-05-01T10:00:02Z: an operator accepted the loss; "
            + lost
            + ".')");
    assertThat(browser.messages()).isEmpty();
  }

  @Test
  void searches() throws Exception {
    cluster.createNotes("notes");
    try (RemoteCluster remote = new RemoteCluster(url)) {
      String record = "{\"id\":\"n1\",\"text\":\"a <b>bold</b> word\"}";
      remote.postRecords("/api/tables/notes/records", StandardCharsets.UTF_8.encode(record), "one");
    }
    browser.visit(url + "/");
    browser.await("document.querySelectorAll('#search-table option').length === 1");
    search("bold");
    browser.await(text("hits") + ".includes('a <b>bold</b> word')");
    assertThat((String) browser.run("return " + text("search-status"))).startsWith("1 found in ");
    cluster.dropTable("notes", java.time.Duration.ZERO);
    search("bold");
    browser.await(text("search-status") + ".includes(\"there is no table 'notes'\")");
    assertThat(browser.run("return document.querySelectorAll('#hits li').length")).isEqualTo(0L);
  }

  @Test
  void showsTheRingOfATable() throws Exception {
    cluster.createNotes("notes");
    long table = cluster.state().requireTable("notes").id();
    RingMember member = new RingMember(RingPlaces.parse(new Partitioner.Hash(1), "0"), "s1");
    cluster.change(new ControlRecord.RingBegun(table, List.of(member)));
    browser.visit(url + "/");
    browser.await("document.querySelector('#ring .arc')");
    assertThat(browser.run("return document.querySelector('#ring .owner').textContent"))
        .isEqualTo("s1");
    assertThat(browser.run("return document.querySelector('#ring title').textContent"))
        .isEqualTo("from 0: s1 leads actor 0");
    assertThat(browser.messages()).isEmpty();
  }

  @Test
  void isLightOrDarkAndKeepsTheChoice() throws Exception {
    browser.visit(url + "/");
    browser.await("document.documentElement.dataset.theme");
    Object first = browser.run("return document.documentElement.dataset.theme");
    browser.run("document.getElementById('theme').click()");
    Object second = browser.run("return document.documentElement.dataset.theme");
    assertThat(List.of(first, second)).containsExactlyInAnyOrder("light", "dark");
    browser.visit(url + "/");
    browser.await("document.documentElement.dataset.theme === '" + second + "'");
  }

  @Test
  void isNamedForThoseWhoDoNotSeeIt() throws Exception {
    cluster.createNotes("notes");
    browser.visit(url + "/");
    browser.await("document.querySelector('#grid .cell.primary')");
    assertThat(
            browser.run(
                "return [...document.querySelectorAll('button, input, select, [role], section')]"
                    + ".filter(e => !e.closest('[role=status]') && !(e.labels && e.labels.length)"
                    + " && !e.innerText && !e.ariaLabel && !e.getAttribute('aria-labelledby'))"
                    + ".map(e => e.outerHTML)"))
        .isEqualTo(List.of());
    assertThat(browser.run("return document.querySelector('#grid .cell.primary').ariaLabel"))
        .isEqualTo("notes/0: primary on s1");
  }

  private void search(String words) throws Exception {
    browser.run(
        "document.getElementById('search-text').value = '"
            + words
            + "'; document.getElementById('search-form').requestSubmit()");
  }

  private static String text(String id) {
    return "document.getElementById('" + id + "').innerText";
  }
}
