package io.uniserve.runtime.store.s3;

import io.uniserve.runtime.store.Content;
import io.uniserve.runtime.store.Sha256;
import io.uniserve.runtime.store.StoreFailures;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** One large object that is uploaded in parts; it appears when all have arrived, or never. */
final class S3Upload {
  /** The protocol's bound. */
  private static final int PARTS_MAX = 10_000;

  private final S3Client client;
  private final S3Settings settings;
  private final String place;
  private final Content content;
  private final String what;

  S3Upload(S3Client client, S3Settings settings, String place, Content content, String what) {
    this.client = client;
    this.settings = settings;
    this.place = place;
    this.content = content;
    this.what = what;
  }

  /**
   * Uploads the object.
   *
   * @param unlessTaken true if the upload must fail when such an object exists once all parts have
   *     arrived
   */
  void run(Map<String, String> metadata, boolean unlessTaken) {
    String upload =
        client
            .createMultipartUpload(
                request -> request.bucket(settings.bucket()).key(place).metadata(metadata))
            .uploadId();
    try {
      complete(upload, parts(upload), unlessTaken);
    } catch (RuntimeException e) {
      abort(upload, e);
      throw e;
    }
  }

  private List<CompletedPart> parts(String upload) {
    long partBytes = Math.max(settings.partBytes(), content.sizeBytes() / PARTS_MAX + 1);
    MessageDigest digest = Sha256.begin();
    List<CompletedPart> parts = new ArrayList<>();
    try (InputStream in = content.open()) {
      for (long at = 0; at < content.sizeBytes(); at += partBytes) {
        int length = (int) Math.min(partBytes, content.sizeBytes() - at);
        byte[] bytes = in.readNBytes(length);
        digest.update(bytes);
        parts.add(part(upload, parts.size() + 1, bytes));
      }
      if (in.read() >= 0 || !Sha256.hex(digest.digest()).equals(content.sha256())) {
        throw StoreFailures.corrupt(what, "the content changed while it was stored");
      }
      return parts;
    } catch (IOException e) {
      throw StoreFailures.of(e, what);
    }
  }

  private CompletedPart part(String upload, int number, byte[] bytes) {
    String tag =
        client
            .uploadPart(
                request ->
                    request
                        .bucket(settings.bucket())
                        .key(place)
                        .uploadId(upload)
                        .partNumber(number),
                RequestBody.fromBytes(bytes))
            .eTag();
    return CompletedPart.builder().partNumber(number).eTag(tag).build();
  }

  private void complete(String upload, List<CompletedPart> parts, boolean unlessTaken) {
    client.completeMultipartUpload(
        request -> {
          request
              .bucket(settings.bucket())
              .key(place)
              .uploadId(upload)
              .multipartUpload(all -> all.parts(parts));
          if (unlessTaken) {
            request.ifNoneMatch("*");
          }
        });
  }

  private void abort(String upload, RuntimeException because) {
    try {
      client.abortMultipartUpload(
          request -> request.bucket(settings.bucket()).key(place).uploadId(upload));
    } catch (SdkException e) {
      because.addSuppressed(e);
    }
  }
}
