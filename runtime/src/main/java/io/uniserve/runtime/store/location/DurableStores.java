package io.uniserve.runtime.store.location;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.StoreFailures;
import io.uniserve.runtime.store.directory.DirectoryStore;
import io.uniserve.runtime.store.s3.S3Credentials;
import io.uniserve.runtime.store.s3.S3Settings;
import io.uniserve.runtime.store.s3.S3Store;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The opening of the durable store that a setting names. */
public final class DurableStores {
  private static final String FORMS =
      "expected file:/directory or s3://bucket/prefix?endpoint=…&region=…&pathStyle=…";
  private static final Set<String> PARAMETERS =
      new TreeSet<>(Set.of("endpoint", "region", "pathStyle"));
  private static final Logger LOG = LoggerFactory.getLogger(DurableStores.class);
  private static final String REGION_DEFAULT = "us-east-1";

  private DurableStores() {}

  /**
   * Opens a store with the credentials of the environment. It works like the other form otherwise.
   */
  public static DurableStore open(String uri, Clock clock, RandomGenerator random) {
    return open(uri, Optional.empty(), clock, random);
  }

  /**
   * Opens a store: {@code file:/directory}, which is created if it does not exist, or {@code
   * s3://bucket/prefix}, whose bucket must exist. Parameters of the latter: {@code region}, by
   * default {@value #REGION_DEFAULT}; {@code endpoint} of a store that is not Amazon's; {@code
   * pathStyle}, {@code true} by default if there is an endpoint.
   *
   * @param credentials the credentials for an object store; if absent, those of the environment are
   *     used
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} for any other form; as of
   *     {@link DurableStore} if the store cannot be used; with {@link ErrorCode#UNSUPPORTED} if it
   *     accepts one object from two writers
   */
  public static DurableStore open(
      String uri, Optional<S3Credentials> credentials, Clock clock, RandomGenerator random) {
    if (uri.matches("[^/]*//[^/]*@.*")) {
      throw UniserveException.invalid("durable store: credentials do not belong in its URI");
    }
    URI parsed = parse(uri);
    DurableStore store =
        switch (String.valueOf(parsed.getScheme())) {
          case "file" -> openDirectory(parsed, clock, random);
          case "s3" -> new S3Store(settings(parsed).withCredentials(credentials), random);
          default -> throw invalid(uri, FORMS);
        };
    ProbedStore probed = new ProbedStore(store, random);
    try {
      probed.probe();
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.UNSUPPORTED) {
        probed.close();
        throw e;
      }
      // The store may answer later. It is probed before its first conditional write.
      LOG.warn("the conditional writes of {} could not be checked yet", store, e);
    }
    return probed;
  }

  private static DurableStore openDirectory(URI uri, Clock clock, RandomGenerator random) {
    if (uri.getPath() == null) {
      throw invalid(uri.toString(), FORMS);
    }
    try {
      return new DirectoryStore(new FileStorage(Path.of(uri.getPath())), clock, random);
    } catch (IOException e) {
      throw StoreFailures.of(e, "open " + uri);
    }
  }

  public static S3Settings settings(URI uri) {
    if (uri.getAuthority() == null) {
      throw invalid(uri.toString(), FORMS);
    }
    Map<String, String> parameters = parameters(uri);
    String path = uri.getPath().replaceAll("^/|/$", "");
    String prefix = path.isEmpty() ? "" : path + "/";
    String region = parameters.getOrDefault("region", REGION_DEFAULT);
    S3Settings settings = S3Settings.of(uri.getAuthority(), prefix, region);
    String endpoint = parameters.get("endpoint");
    if (endpoint == null) {
      return settings;
    }
    boolean pathStyle = Boolean.parseBoolean(parameters.getOrDefault("pathStyle", "true"));
    return settings.withEndpoint(parse(endpoint), pathStyle);
  }

  private static Map<String, String> parameters(URI uri) {
    Map<String, String> parameters = new TreeMap<>();
    if (uri.getRawQuery() == null) {
      return parameters;
    }
    for (String pair : uri.getRawQuery().split("&")) {
      String[] parts = pair.split("=", 2);
      if (parts.length < 2 || !PARAMETERS.contains(parts[0])) {
        throw invalid(uri.toString(), "unknown parameter '" + pair + "', known are " + PARAMETERS);
      }
      parameters.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return parameters;
  }

  private static URI parse(String uri) {
    try {
      return URI.create(uri);
    } catch (IllegalArgumentException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT, "durable store '" + uri + "': " + e.getMessage(), e);
    }
  }

  private static UniserveException invalid(String uri, String how) {
    return UniserveException.invalid("durable store '" + uri + "': " + how);
  }
}
