package io.uniserve.node.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.node.http.HttpService;
import io.uniserve.node.http.base.HttpSettings;
import io.uniserve.node.json.Settings;
import io.uniserve.node.notes.LocalClient;
import io.uniserve.node.remote.RemoteCluster;
import io.uniserve.node.rows.RowFile;
import io.uniserve.node.rows.RowReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LoaderTest {
  private final LocalClient cluster = new LocalClient();
  private HttpService service;
  private RemoteCluster remote;

  @BeforeEach
  void start() {
    cluster.createNotes("notes");
    service = new HttpService(cluster, List.of(), HttpSettings.onPort(0));
    remote = new RemoteCluster("http://127.0.0.1:" + service.port());
  }

  @AfterEach
  void stop() {
    remote.close();
    service.close();
  }

  @Test
  void loadsInBatches() throws IOException {
    Loader loader = new Loader(remote, "notes", new LoadOptions(30, 4, false));
    load(loader, notes(100));
    assertThat(loader.report().stored()).isEqualTo(100);
    assertThat(cluster.updateCount()).isEqualTo(4);
    assertThat(total()).isEqualTo(100);
  }

  @Test
  void stopsAtTheFirstBadRecordAndNamesItsPlace() {
    Loader loader = new Loader(remote, "notes", new LoadOptions(10, 1, false));
    String lines = notes(25) + "\n{\"id\":\"x\"}\n" + notes(10);
    assertThatThrownBy(() -> load(loader, lines))
        .hasMessage("notes.jsonl, line 27: 'text' must be a string");
    assertThat(loader.report().stored()).isEqualTo(20);
    assertThatThrownBy(() -> load(loader, "{\"id\":\n"))
        .hasMessageStartingWith("notes.jsonl, line");
  }

  @Test
  void skipsBadRecordsAndCountsThem() throws IOException {
    Loader loader = new Loader(remote, "notes", new LoadOptions(10, 2, true));
    load(loader, notes(25) + "no json\n{\"id\":\"x\"}\n" + "{\"id\":\"y\",\"text\":\"text\"}\n");
    assertThat(loader.report().stored()).isEqualTo(26);
    assertThat(loader.report().skipped()).isEqualTo(2);
    assertThat(loader.report().examples())
        .anyMatch(example -> example.startsWith("notes.jsonl, line 26: not JSON"))
        .contains("notes.jsonl, line 27: 'text' must be a string");
  }

  @Test
  void sendsABatchAgainWhenItsAnswerIsLostAndStoresItOnce() throws IOException {
    cluster.failNextUpdate(new UniserveException(ErrorCode.UNAVAILABLE, "lost"));
    cluster.failNextUpdate(new UniserveException(ErrorCode.DEADLINE_EXCEEDED, "late"));
    Loader loader = new Loader(remote, "notes", LoadOptions.DEFAULT);
    load(loader, notes(5));
    assertThat(loader.report().stored()).isEqualTo(5);
    assertThat(cluster.updateCount()).isEqualTo(1);
  }

  @Test
  void tellsOnceWhyItWaits() throws IOException {
    for (int i = 0; i < 3; i++) {
      cluster.failNextUpdate(new UniserveException(ErrorCode.UNAVAILABLE, "nobody leads"));
    }
    List<String> told = new CopyOnWriteArrayList<>();
    load(new Loader(remote, "notes", LoadOptions.DEFAULT, told::add), notes(5));
    assertThat(told).containsExactly("nobody leads");
    assertThat(cluster.updateCount()).isEqualTo(1);
  }

  @Test
  void givesUpOnWhatNoRetryMends() {
    cluster.failNextUpdate(new UniserveException(ErrorCode.CORRUPT, "a damaged log"));
    Loader loader = new Loader(remote, "notes", LoadOptions.DEFAULT);
    assertThatThrownBy(() -> load(loader, notes(5))).hasMessage("a damaged log");
    assertThatThrownBy(() -> new LoadOptions(0, 4, false))
        .hasMessage("a batch has 1 to 100000 records, not 0");
  }

  private static String notes(int count) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append("{\"id\":\"n").append(i).append("\",\"text\":\"text\"}\n");
    }
    return lines.toString();
  }

  private static void load(Loader loader, String lines) throws IOException {
    byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
    try (RowReader rows =
        RowFile.open("notes.jsonl", new ByteArrayInputStream(bytes), read -> {})) {
      loader.load(rows);
    }
  }

  private long total() {
    Settings answer =
        new Settings("the answer", remote.get("/api/tables/notes/query?q=text&rows=0"));
    return (Long) answer.object("result").get("total");
  }
}
