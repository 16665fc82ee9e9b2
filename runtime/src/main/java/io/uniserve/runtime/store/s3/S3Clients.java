package io.uniserve.runtime.store.s3;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** The opening of the library's client. */
final class S3Clients {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration SOCKET_TIMEOUT = Duration.ofSeconds(30);

  private S3Clients() {}

  /**
   * Opens a client that leaves checksums to us, since some stores do not know those that the
   * library adds by itself.
   */
  static S3Client open(S3Settings settings) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(CONNECT_TIMEOUT)
                    .socketTimeout(SOCKET_TIMEOUT))
            .region(Region.of(settings.region()))
            .forcePathStyle(settings.pathStyle())
            .credentialsProvider(credentials(settings))
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .overrideConfiguration(
                configuration ->
                    configuration
                        .apiCallAttemptTimeout(settings.attemptTimeout())
                        .apiCallTimeout(
                            settings.attemptTimeout().multipliedBy(settings.attemptsMax()))
                        .retryStrategy(retry -> retry.maxAttempts(settings.attemptsMax())));
    settings.endpoint().ifPresent(builder::endpointOverride);
    return builder.build();
  }

  private static AwsCredentialsProvider credentials(S3Settings settings) {
    return settings
        .credentials()
        .<AwsCredentialsProvider>map(given -> StaticCredentialsProvider.create(translate(given)))
        .orElseGet(() -> DefaultCredentialsProvider.builder().build());
  }

  private static AwsCredentials translate(S3Credentials given) {
    return given
        .sessionToken()
        .<AwsCredentials>map(
            token -> AwsSessionCredentials.create(given.accessKey(), given.secretKey(), token))
        .orElseGet(() -> AwsBasicCredentials.create(given.accessKey(), given.secretKey()));
  }
}
