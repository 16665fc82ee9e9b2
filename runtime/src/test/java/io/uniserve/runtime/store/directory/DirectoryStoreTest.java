package io.uniserve.runtime.store.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.DurableStoreContract;
import io.uniserve.runtime.store.Sha256;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.store.location.DurableStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DirectoryStoreTest extends DurableStoreContract {
  private final SystemClock clock = new SystemClock();

  @AfterEach
  void close() {
    clock.close();
  }

  private Path root() {
    return directory.resolve("store");
  }

  @Override
  public DurableStore store() throws IOException {
    return new DirectoryStore(new FileStorage(root()), clock, ProductionEnvironment.unseeded());
  }

  @Override
  public void damage(String key) throws IOException {
    Path file = root().resolve(key);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  @Test
  void everyDamagedByteAndEveryMissingByteIsFound() throws IOException {
    DurableStore store = store();
    store.put("object", Content.of(randomBytes(20, 3)));
    Path file = root().resolve("object");
    byte[] sound = Files.readAllBytes(file);
    for (int i = 0; i < sound.length; i++) {
      byte[] damaged = sound.clone();
      damaged[i] ^= 0x40;
      Files.write(file, damaged);
      assertFails(ErrorCode.CORRUPT, () -> store.get("object", 100));
      Files.write(file, java.util.Arrays.copyOf(sound, i));
      assertFails(ErrorCode.CORRUPT, () -> store.get("object", 100));
      assertFails(ErrorCode.CORRUPT, () -> store.get("object", directory.resolve("t")));
    }
    Files.write(file, java.util.Arrays.copyOf(sound, sound.length + 1));
    assertFails(ErrorCode.CORRUPT, () -> store.get("object", 100));
  }

  @Test
  void anOpenedStoreHasWhatAnotherWrote() throws IOException {
    store().put("a/b", Content.of(new byte[] {1}));
    assertThat(store().get("a/b", 1)).containsExactly(1);
  }

  @Test
  void unfinishedWritesAreInvisibleAndClearedOnceAbandoned() throws IOException {
    store();
    Path fresh = Files.createFile(root().resolve(".unfinished/fresh"));
    Path old = Files.createFile(root().resolve(".unfinished/old"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
    store().list("", object -> assertThat(object.key()).isNull());
    assertThat(old).doesNotExist();
    assertThat(fresh).exists();
  }

  /** Other servers write while one starts. A link to nothing is listed and then missing. */
  @Test
  void opensThoughWhatItListsIsFinishedBeforeItLooks() throws IOException {
    store();
    Path unfinished = root().resolve(".unfinished");
    Files.createSymbolicLink(unfinished.resolve("finished"), unfinished.resolve("no-more"));
    store().put("object", Content.of(new byte[] {1}));
    assertThat(store().get("object", 1)).containsExactly(1);
  }

  @Test
  void nothingIsLeftOfAWriteThatFails() throws IOException {
    DurableStore store = store();
    Content gone = new Content.File(directory.resolve("gone"), 5, Sha256.of(new byte[5]));
    assertFails(ErrorCode.NOT_FOUND, () -> store.put("broken", gone)).hasMessageContaining("gone");
    Content shorter =
        new Content.File(Files.write(directory.resolve("short"), new byte[4]), 5, gone.sha256());
    assertFails(ErrorCode.CORRUPT, () -> store.put("broken", shorter));
    try (var files = Files.list(root().resolve(".unfinished"))) {
      assertThat(files).isEmpty();
    }
    assertThat(store.exists("broken")).isFalse();
  }

  @Test
  void aFullDiskIsExhausted() {
    assertThat(StoreFailures.of(new IOException("No space left on device"), "put x").code())
        .isEqualTo(ErrorCode.EXHAUSTED);
    assertThat(StoreFailures.of(new IOException("Input/output error"), "put x").code())
        .isEqualTo(ErrorCode.UNAVAILABLE);
  }

  @Test
  void anInterruptCancels() throws IOException {
    DurableStore store = store();
    Thread.currentThread().interrupt();
    try {
      assertFails(ErrorCode.CANCELLED, () -> store.put("x", Content.of(new byte[100])));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(store.exists("x")).isFalse();
  }

  @Test
  void storesAreOpenedByTheirUri() {
    DurableStore store =
        DurableStores.open(root().toUri().toString(), clock, ProductionEnvironment.unseeded());
    store.put("x", Content.of(new byte[1]));
    assertThat(root().resolve("x")).exists();
    for (String uri : new String[] {"ftp://host/x", "file:relative", "", "nonsense", "file:/ %"}) {
      assertFails(
              ErrorCode.INVALID_ARGUMENT,
              () -> DurableStores.open(uri, clock, ProductionEnvironment.unseeded()))
          .hasMessageContaining("'" + uri + "'");
    }
  }
}
