package io.uniserve.runtime.store.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.still.ProcessFixture;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.DurableStoreContract;
import io.uniserve.runtime.store.Sha256;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.backup.BackupPlace;
import io.uniserve.runtime.store.backup.BackupReceipt;
import io.uniserve.runtime.store.backup.HistoryItem.Checkpoint;
import io.uniserve.runtime.store.backup.HistoryItem.EpochStart;
import io.uniserve.runtime.store.backup.HistoryItem.Log;
import io.uniserve.runtime.store.location.DurableStores;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** The contract, against a server that speaks S3. */
class S3StoreTest extends DurableStoreContract {
  private static final String PREFIX = "clusters/one/";
  private static MotoServer server;
  private static S3Client raw;
  private static int buckets;

  private final List<DurableStore> opened = new ArrayList<>();
  private String bucket;

  @BeforeAll
  static void startServer() throws IOException {
    server = MotoServer.start();
    raw = server.client();
  }

  @AfterAll
  static void stopServer() throws IOException {
    if (server != null) {
      raw.close();
      server.close();
    }
  }

  @BeforeEach
  void makeBucket() {
    bucket = "bucket-" + buckets++;
    raw.createBucket(request -> request.bucket(bucket));
  }

  @AfterEach
  void closeStores() {
    opened.forEach(DurableStore::close);
  }

  private DurableStore open(S3Settings settings) {
    DurableStore store = new S3Store(settings, ProductionEnvironment.unseeded());
    opened.add(store);
    return store;
  }

  @Override
  public DurableStore store() {
    return open(server.settings(bucket, PREFIX));
  }

  @Override
  public void damage(String key) {
    ResponseBytes<GetObjectResponse> found =
        raw.getObjectAsBytes(request -> request.bucket(bucket).key(PREFIX + key));
    byte[] bytes = found.asByteArray();
    bytes[bytes.length / 2] ^= 1;
    Map<String, String> metadata = found.response().metadata();
    raw.putObject(
        request -> request.bucket(bucket).key(PREFIX + key).metadata(metadata),
        RequestBody.fromBytes(bytes));
  }

  @Test
  void largeObjectsTravelInParts() throws IOException {
    DurableStore store =
        open(server.settings(bucket, PREFIX).withLimits(5 << 20, Duration.ofMinutes(1), 2));
    byte[] bytes = randomBytes((11 << 20) + 17, 5);
    Path source = Files.write(directory.resolve("large"), bytes);
    store.put("large", Content.of(source));
    assertThat(raw.headObject(request -> request.bucket(bucket).key(PREFIX + "large")).eTag())
        .as("the mark of an object of three parts")
        .contains("-3");
    assertThat(store.get("large", directory.resolve("back"))).isEqualTo(Sha256.of(bytes));
    assertThat(directory.resolve("back")).hasBinaryContent(bytes);

    assertThat(store.putIfAbsent("large", Content.of(source))).isFalse();
    assertThat(store.putIfAbsent("larger", Content.of(source))).isTrue();

    Content changed = Content.of(source);
    bytes[7 << 20] ^= 1;
    Files.write(source, bytes);
    assertFails(ErrorCode.CORRUPT, () -> store.put("changed", changed));
    assertThat(store.exists("changed")).isFalse();
    assertThat(raw.listMultipartUploads(request -> request.bucket(bucket)).uploads()).isEmpty();
  }

  @Test
  void anObjectThatOthersWroteIsCorrupt() {
    raw.putObject(
        request -> request.bucket(bucket).key(PREFIX + "foreign"), RequestBody.fromString("x"));
    DurableStore store = store();
    assertFails(ErrorCode.CORRUPT, () -> store.get("foreign", 10)).hasMessageContaining("foreign");
  }

  @Test
  void clustersWithPrefixesOfTheirOwnDoNotMeet() {
    DurableStore one = store();
    DurableStore two = open(server.settings(bucket, "clusters/two/"));
    one.put("x", Content.of(new byte[] {1}));
    two.put("x", Content.of(new byte[] {2}));
    assertThat(one.get("x", 1)).containsExactly(1);
    two.delete("x");
    assertThat(one.exists("x")).isTrue();
    two.list("", object -> assertThat(object).isNull());
  }

  @Test
  void aMissingBucketIsNamed() {
    assertFails(ErrorCode.NOT_FOUND, () -> open(server.settings("no-such-bucket", "")))
        .hasMessageContaining("no-such-bucket");
  }

  @Test
  void anEndpointThatDoesNotAnswerIsUnavailable() {
    S3Settings nowhere =
        server
            .settings(bucket, "")
            .withEndpoint(java.net.URI.create("http://127.0.0.1:1"), true)
            .withLimits(5 << 20, Duration.ofSeconds(5), 2);
    assertFails(ErrorCode.UNAVAILABLE, () -> open(nowhere)).hasMessageContaining(bucket);
  }

  @Test
  void opensByUri() {
    try (SystemClock clock = new SystemClock();
        DurableStore store =
            DurableStores.open(
                "s3://" + bucket + "/a/b/?endpoint=" + server.endpoint() + "&region=eu-west-3",
                Optional.of(MotoServer.credentials()),
                clock,
                ProductionEnvironment.unseeded())) {
      store.put("x", Content.of(new byte[] {1}));
      assertThat(store).hasToString("s3://" + bucket + "/a/b/");
    }
    assertThat(raw.headObject(request -> request.bucket(bucket).key("a/b/x")).contentLength())
        .isEqualTo(1);
  }

  @Test
  void actorsAreBackedUpAndRestored() throws IOException {
    try (SystemClock clock = new SystemClock()) {
      ProductionEnvironment environment =
          ProcessFixture.environment(
              clock,
              directory.resolve("process"),
              new InProcessNetwork(clock).attach(new Address("server")));
      ActorBackups backups = new ActorBackups(store(), environment);
      Path files = Files.createDirectories(directory.resolve("actor/sub"));
      for (int i = 0; i < 10; i++) {
        Files.write(files.resolve("segment-" + i), randomBytes(1000 * i, i));
      }
      BackupPlace place = new BackupPlace("c1", new ActorId(1, 2));
      backups.open(place, new EpochStart(1, Position.START, true, 0));
      backUp(backups, place, 5, files.getParent());
      Files.delete(files.resolve("segment-3"));
      assertThat(backUp(backups, place, 6, files.getParent()).uploadedFiles()).isZero();
      Log log = new Log(1, new Position(1, 6), new Position(1, 7), 7);
      backups.append(place, log, List.of(ByteBuffer.wrap(new byte[] {1, 2, 3})));
      assertThat(backups.read(place, log)).hasSize(1);
      assertThat(backups.history(place).end()).isEqualTo(new Position(1, 7));
      backups.collect(place, 1, Duration.ofDays(1));
      Path target = directory.resolve("restored");
      backups.restore(place, backups.history(place).checkpoints().getFirst(), target);
      backups.close();
      try (var restored = Files.list(target.resolve("sub"))) {
        assertThat(restored).hasSize(9);
      }
      assertThat(target.resolve("sub/segment-9")).hasBinaryContent(randomBytes(9000, 9));
    }
  }

  private static BackupReceipt backUp(
      ActorBackups backups, BackupPlace place, long sequence, Path files) {
    return backups.checkpoint(
        place,
        new Checkpoint(1, new Position(1, sequence), sequence),
        backups.history(place),
        files);
  }
}
