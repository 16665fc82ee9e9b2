package io.uniserve.runtime.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGeneratorFactory;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of every durable store. */
public abstract class DurableStoreContract {
  @TempDir public Path directory;

  /** A store without objects. */
  public abstract DurableStore store() throws IOException;

  /** Changes the stored bytes of an object behind the store's back. */
  public abstract void damage(String key) throws IOException;

  private static Content content(String text) {
    return Content.of(text.getBytes(UTF_8));
  }

  private static String read(DurableStore store, String key) {
    return new String(store.get(key, 1 << 20), UTF_8);
  }

  public static AbstractThrowableAssert<?, ? extends Throwable> assertFails(
      ErrorCode code, ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            UniserveException.class, e -> assertThat(e.code()).as(e.toString()).isEqualTo(code));
  }

  public static byte[] randomBytes(int size, long seed) {
    byte[] bytes = new byte[size];
    RandomGeneratorFactory.of("L64X128MixRandom").create(seed).nextBytes(bytes);
    return bytes;
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    DurableStore store = store();
    store.put("a/b/c-1.x_y", content("first"));
    assertThat(read(store, "a/b/c-1.x_y")).isEqualTo("first");
    store.put("a/b/c-1.x_y", content("second"));
    assertThat(read(store, "a/b/c-1.x_y")).isEqualTo("second");
    store.put("empty", content(""));
    assertThat(read(store, "empty")).isEmpty();
  }

  @Test
  void readsIntoFiles() throws IOException {
    DurableStore store = store();
    byte[] bytes = randomBytes(3_000_001, 1);
    Path source = Files.write(directory.resolve("source"), bytes);
    store.put("large", Content.of(source));
    Path target = Files.writeString(directory.resolve("target"), "was here before");
    String checksum = store.get("large", target);
    assertThat(target).hasBinaryContent(bytes);
    assertThat(checksum).isEqualTo(Sha256.of(bytes));
  }

  @Test
  void whatIsMissingIsNotFound() throws IOException {
    DurableStore store = store();
    assertThat(store.exists("no/such")).isFalse();
    assertFails(ErrorCode.NOT_FOUND, () -> store.get("no/such", 10))
        .hasMessageContaining("no/such");
    assertFails(ErrorCode.NOT_FOUND, () -> store.get("no/such", directory.resolve("t")));
    store.delete("no/such");
    store.list("no/such/", object -> fail(object.key()));
  }

  private static void fail(String key) {
    throw new AssertionError("unexpected object " + key);
  }

  @Test
  void aReadIsBounded() throws IOException {
    DurableStore store = store();
    store.put("ten", content("0123456789"));
    assertThat(store.get("ten", 10)).hasSize(10);
    assertFails(ErrorCode.TOO_LARGE, () -> store.get("ten", 9)).hasMessageContaining("ten");
  }

  @Test
  void deletes() throws IOException {
    DurableStore store = store();
    store.put("gone", content("x"));
    assertThat(store.exists("gone")).isTrue();
    store.delete("gone");
    assertThat(store.exists("gone")).isFalse();
    assertFails(ErrorCode.NOT_FOUND, () -> store.get("gone", 10));
  }

  @Test
  void damageIsFoundAndNamed() throws IOException {
    DurableStore store = store();
    store.put("dir/damaged", Content.of(randomBytes(100_000, 2)));
    damage("dir/damaged");
    assertFails(ErrorCode.CORRUPT, () -> store.get("dir/damaged", 1 << 20))
        .hasMessageContaining("dir/damaged");
    assertFails(ErrorCode.CORRUPT, () -> store.get("dir/damaged", directory.resolve("target")))
        .hasMessageContaining("dir/damaged");
  }

  @Test
  void contentThatChangedMeanwhileIsRefused() throws IOException {
    DurableStore store = store();
    Path file = Files.writeString(directory.resolve("changing"), "before");
    Content content = Content.of(file);
    Files.writeString(file, "AFTER!");
    assertFails(ErrorCode.CORRUPT, () -> store.put("changing", content));
    Files.writeString(file, "cut");
    assertFails(ErrorCode.CORRUPT, () -> store.put("changing", content));
    Files.writeString(file, "before and more");
    assertFails(ErrorCode.CORRUPT, () -> store.put("changing", content));
    assertThat(store.exists("changing")).isFalse();
  }

  @Test
  void putIfAbsentKeepsTheFirst() throws IOException {
    DurableStore store = store();
    assertThat(store.putIfAbsent("once", content("first"))).isTrue();
    assertThat(store.putIfAbsent("once", content("second"))).isFalse();
    assertThat(read(store, "once")).isEqualTo("first");
    store.delete("once");
    assertThat(store.putIfAbsent("once", content("third"))).isTrue();
  }

  @Test
  void ofManyWhoPutIfAbsentOneSucceeds() throws Exception {
    DurableStore store = store();
    for (int race = 0; race < 8; race++) {
      String key = "race" + race;
      assertThat(winners(store, key)).as(key).isEqualTo(1);
      assertThat(read(store, key)).startsWith("racer ");
    }
  }

  /** Returns how many succeed of six that put an object at once. */
  private static int winners(DurableStore store, String key) throws InterruptedException {
    AtomicInteger winners = new AtomicInteger();
    CyclicBarrier barrier = new CyclicBarrier(6);
    List<Thread> racers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      String text = "racer " + i;
      racers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      barrier.await();
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                    if (store.putIfAbsent(key, content(text))) {
                      winners.incrementAndGet();
                    }
                  }));
    }
    for (Thread racer : racers) {
      racer.join();
    }
    return winners.get();
  }

  @Test
  void listsAscendingByKeyBelowAPrefix() throws IOException {
    DurableStore store = store();
    List<String> keys =
        List.of("t/1/a", "t/1-x", "t/1.y", "t/1/b/c", "t/10/a", "t/2/a", "u/1", "t/1/Z", "t/_");
    keys.forEach(key -> store.put(key, content(key)));
    assertThat(listed(store, "")).isEqualTo(keys.stream().sorted().toList());
    assertThat(listed(store, "t/1/")).containsExactly("t/1/Z", "t/1/a", "t/1/b/c");
    assertThat(listed(store, "v/")).isEmpty();
    store.list(
        "u/",
        object -> {
          assertThat(object.sizeBytes()).isEqualTo(3);
          assertThat(object.modified()).isAfter(java.time.Instant.parse("2020-01-01T00:00:00Z"));
        });
  }

  @Test
  void whoListsMayDelete() throws IOException {
    DurableStore store = store();
    for (int i = 0; i < 30; i++) {
      store.put("d/" + i, content("x"));
    }
    store.list("d/", object -> store.delete(object.key()));
    assertThat(listed(store, "")).isEmpty();
  }

  private static List<String> listed(DurableStore store, String prefix) {
    List<String> keys = new ArrayList<>();
    store.list(prefix, object -> keys.add(object.key()));
    return keys;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "/", "a//b", "/a", "a/", "../a", "a/../b", ".hidden", "a b", "a/.b", "ä", "a\n"
      })
  void keysThatMeanDifferentThingsAreRefused(String key) throws IOException {
    DurableStore store = store();
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> store.put(key, content("x")));
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> store.get(key, 1));
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> store.delete(key));
  }

  @Test
  void aPrefixEndsWithASlash() throws IOException {
    DurableStore store = store();
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> store.list("a", object -> {}));
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> store.list("../", object -> {}));
    assertFails(ErrorCode.INVALID_ARGUMENT, () -> store.put("a/" + "b".repeat(512), content("")));
  }
}
