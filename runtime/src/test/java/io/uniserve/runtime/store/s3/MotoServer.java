package io.uniserve.runtime.store.s3;

import io.uniserve.testkit.tools.ObjectStore;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import software.amazon.awssdk.services.s3.S3Client;

/** An S3 server in a process of its own, for as long as the tests that use it. */
public final class MotoServer implements AutoCloseable {
  private static final S3Credentials CREDENTIALS =
      new S3Credentials("tester", "not-a-secret", Optional.empty());

  private final ObjectStore server;

  private MotoServer(ObjectStore server) {
    this.server = server;
  }

  static MotoServer start() throws IOException {
    return new MotoServer(ObjectStore.start());
  }

  /** Settings for a bucket. */
  S3Settings settings(String bucket, String prefix) {
    return S3Settings.of(bucket, prefix, "us-east-1")
        .withEndpoint(server.endpoint(), true)
        .withCredentials(Optional.of(CREDENTIALS));
  }

  /** Returns the library's own client. */
  S3Client client() {
    return S3Clients.open(settings("any", ""));
  }

  URI endpoint() {
    return server.endpoint();
  }

  public static S3Credentials credentials() {
    return CREDENTIALS;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
