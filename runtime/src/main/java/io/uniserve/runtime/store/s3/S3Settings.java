package io.uniserve.runtime.store.s3;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.store.ObjectKey;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of access to an S3-compatible object store.
 *
 * @param bucket its name; it must exist
 * @param prefix the beginning of all keys; empty, or ending with {@code /}
 * @param endpoint the endpoint of a store that is not Amazon's
 * @param region the region, for instance {@code eu-central-1}; as other stores require, often
 *     anything
 * @param pathStyle true if the bucket is named in the path rather than in the host name
 * @param credentials the credentials, if other than those of the environment (variables, files,
 *     machine role)
 * @param partBytes larger objects are uploaded in parts of this size; 5 MiB at least
 * @param attemptTimeout the longest time that one request may take
 * @param attemptsMax the number of attempts after which a request counts as failed
 */
public record S3Settings(
    String bucket,
    String prefix,
    Optional<URI> endpoint,
    String region,
    boolean pathStyle,
    Optional<S3Credentials> credentials,
    int partBytes,
    Duration attemptTimeout,
    int attemptsMax) {

  private static final int PART_BYTES_MIN = 5 << 20;

  /** Checks prefix and part size. */
  public S3Settings {
    ObjectKey.checkPrefix(prefix);
    if (partBytes < PART_BYTES_MIN) {
      throw UniserveException.invalid("parts have at least 5 MiB, not " + partBytes + " bytes");
    }
  }

  /**
   * Returns settings of a bucket in a region, with usual limits: parts of 32 MiB, 2 minutes and 4
   * attempts.
   */
  public static S3Settings of(String bucket, String prefix, String region) {
    return new S3Settings(
        bucket,
        prefix,
        Optional.empty(),
        region,
        false,
        Optional.empty(),
        32 << 20,
        Duration.ofMinutes(2),
        4);
  }

  /** Returns the same settings at another endpoint. */
  public S3Settings withEndpoint(URI where, boolean bucketInPath) {
    return new S3Settings(
        bucket,
        prefix,
        Optional.of(where),
        region,
        bucketInPath,
        credentials,
        partBytes,
        attemptTimeout,
        attemptsMax);
  }

  /** Returns the same settings with other credentials. */
  public S3Settings withCredentials(Optional<S3Credentials> given) {
    return new S3Settings(
        bucket, prefix, endpoint, region, pathStyle, given, partBytes, attemptTimeout, attemptsMax);
  }

  /** Returns the same settings with other limits. */
  public S3Settings withLimits(int bytesOfParts, Duration timeout, int attempts) {
    return new S3Settings(
        bucket, prefix, endpoint, region, pathStyle, credentials, bytesOfParts, timeout, attempts);
  }
}
