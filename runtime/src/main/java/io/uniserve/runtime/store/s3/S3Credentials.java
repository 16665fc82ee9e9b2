package io.uniserve.runtime.store.s3;

import java.util.Optional;

/**
 * The credentials of a user of an object store. Never logged.
 *
 * @param accessKey names the user
 * @param secretKey proves it
 * @param sessionToken belongs to temporary credentials
 */
public record S3Credentials(String accessKey, String secretKey, Optional<String> sessionToken) {

  /** Hides the secrets. */
  @Override
  public String toString() {
    return "S3Credentials[hidden]";
  }
}
