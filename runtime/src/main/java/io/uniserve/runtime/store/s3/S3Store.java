package io.uniserve.runtime.store.s3;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.CheckedCopy;
import io.uniserve.runtime.store.CheckedInput;
import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.ObjectKey;
import io.uniserve.runtime.store.Sha256;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.store.StoredObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * A {@link DurableStore} in a bucket of Amazon S3 or of any store that speaks its protocol and
 * honours {@code If-None-Match}. An object's checksum is kept in its metadata. Requests are retried
 * a bounded number of times.
 */
public final class S3Store implements DurableStore {
  static final String CHECKSUM = "sha256";
  static final String WRITER = "writer";

  private final S3Client client;
  private final S3Settings settings;
  private final RandomGenerator random;

  /**
   * Opens the store.
   *
   * @param random names writers, so that a repeated write is recognised
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#NOT_FOUND} if there is no
   *     such bucket
   */
  public S3Store(S3Settings settings, RandomGenerator random) {
    this.settings = settings;
    this.random = random;
    client = S3Clients.open(settings);
    try {
      client.headBucket(request -> request.bucket(settings.bucket()));
    } catch (SdkException e) {
      client.close();
      throw S3Failures.of(e, "open " + this);
    }
  }

  @Override
  public void put(String key, Content content) {
    String place = placeOf(key);
    try {
      store(key, place, content, Long.toHexString(random.nextLong()), false);
    } catch (SdkException e) {
      throw S3Failures.of(e, describe("put", key));
    }
  }

  @Override
  public boolean putIfAbsent(String key, Content content) {
    String place = placeOf(key);
    String writer = Long.toHexString(random.nextLong());
    for (int attempt = 1; attempt <= settings.attemptsMax(); attempt++) {
      try {
        store(key, place, content, writer, true);
        return true;
      } catch (S3Exception e) {
        if (e.statusCode() != S3Failures.PRECONDITION_FAILED
            && e.statusCode() != S3Failures.CONFLICT) {
          throw S3Failures.of(e, describe("put", key));
        }
        Optional<String> found = writerOf(key);
        if (found.isPresent()) {
          // A write that was repeated because its answer was lost is refused, although it took
          // effect.
          return found.get().equals(writer);
        }
      } catch (SdkException e) {
        throw S3Failures.of(e, describe("put", key));
      }
    }
    throw new UniserveException(
        ErrorCode.UNAVAILABLE,
        describe("put", key)
            + ": refused "
            + settings.attemptsMax()
            + " times because of another object, which was not there when it was looked for");
  }

  @Override
  public byte[] get(String key, int sizeBytesMax) {
    String what = describe("get", key);
    return fetch(
        key,
        (response, in) -> {
          if (response.contentLength() > sizeBytesMax) {
            throw StoreFailures.tooLarge(what, response.contentLength(), sizeBytesMax);
          }
          byte[] content = in.readNBytes(sizeBytesMax);
          requireChecksum(response, Sha256.of(content), what);
          return content;
        });
  }

  @Override
  public String get(String key, Path target) {
    String what = describe("get", key);
    return fetch(
        key,
        (response, in) -> {
          try (OutputStream out = Files.newOutputStream(target)) {
            String found = CheckedCopy.copy(in, out, response.contentLength(), what);
            requireChecksum(response, found, what);
            return found;
          }
        });
  }

  @Override
  public boolean exists(String key) {
    String place = placeOf(key);
    try {
      client.headObject(request -> request.bucket(settings.bucket()).key(place));
      return true;
    } catch (S3Exception e) {
      if (e.statusCode() == S3Failures.NOT_FOUND) {
        return false;
      }
      throw S3Failures.of(e, describe("head", key));
    } catch (SdkException e) {
      throw S3Failures.of(e, describe("head", key));
    }
  }

  @Override
  public void list(String prefix, Consumer<StoredObject> visitor) {
    String full = settings.prefix() + ObjectKey.checkPrefix(prefix);
    try {
      client
          .listObjectsV2Paginator(request -> request.bucket(settings.bucket()).prefix(full))
          .contents()
          .forEach(object -> visitor.accept(describe(object)));
    } catch (SdkException e) {
      throw S3Failures.of(e, "list " + prefix + " in " + this);
    }
  }

  @Override
  public void delete(String key) {
    String place = placeOf(key);
    try {
      client.deleteObject(request -> request.bucket(settings.bucket()).key(place));
    } catch (SdkException e) {
      throw S3Failures.of(e, describe("delete", key));
    }
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return "s3://" + settings.bucket() + "/" + settings.prefix();
  }

  /** A reading of an object; an IOException of its stream causes another attempt. */
  @FunctionalInterface
  private interface Reading<T> {
    T read(GetObjectResponse response, InputStream in) throws IOException;
  }

  private <T> T fetch(String key, Reading<T> reading) {
    String place = placeOf(key);
    ResponseTransformer<GetObjectResponse, T> transformer =
        (response, in) -> {
          try {
            return reading.read(response, in);
          } catch (IOException e) {
            throw RetryableException.create("reading " + key + " failed", e);
          }
        };
    try {
      return client.getObject(request -> request.bucket(settings.bucket()).key(place), transformer);
    } catch (SdkException e) {
      throw S3Failures.of(e, describe("get", key));
    }
  }

  private void store(
      String key, String place, Content content, String writer, boolean unlessTaken) {
    Map<String, String> metadata = Map.of(CHECKSUM, content.sha256(), WRITER, writer);
    if (content.sizeBytes() > settings.partBytes()) {
      new S3Upload(client, settings, place, content, describe("put", key))
          .run(metadata, unlessTaken);
      return;
    }
    client.putObject(
        request -> {
          request.bucket(settings.bucket()).key(place).metadata(metadata);
          if (unlessTaken) {
            request.ifNoneMatch("*");
          }
        },
        bodyOf(content, describe("put", key)));
  }

  private static RequestBody bodyOf(Content content, String what) {
    return RequestBody.fromContentProvider(
        () -> {
          try {
            return new CheckedInput(content, what);
          } catch (IOException e) {
            throw StoreFailures.of(e, what);
          }
        },
        content.sizeBytes(),
        "application/octet-stream");
  }

  /**
   * Returns who wrote an object: empty text if that is not recorded, and no value if there is no
   * object, since another's write has failed or was deleted again.
   */
  private Optional<String> writerOf(String key) {
    String place = placeOf(key);
    try {
      HeadObjectResponse found =
          client.headObject(request -> request.bucket(settings.bucket()).key(place));
      return Optional.of(found.metadata().getOrDefault(WRITER, ""));
    } catch (S3Exception e) {
      if (e.statusCode() == S3Failures.NOT_FOUND) {
        return Optional.empty();
      }
      throw S3Failures.of(e, describe("head", key));
    } catch (SdkException e) {
      throw S3Failures.of(e, describe("head", key));
    }
  }

  private static void requireChecksum(GetObjectResponse response, String found, String what) {
    String written = response.metadata().get(CHECKSUM);
    if (!found.equals(written)) {
      throw StoreFailures.corrupt(what, "SHA-256 " + found + ", written was " + written);
    }
  }

  private StoredObject describe(S3Object object) {
    return new StoredObject(
        object.key().substring(settings.prefix().length()), object.size(), object.lastModified());
  }

  private String placeOf(String key) {
    return settings.prefix() + ObjectKey.check(key);
  }

  private String describe(String action, String key) {
    return action + " " + key + " in " + this;
  }
}
