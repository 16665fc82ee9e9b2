package io.uniserve.testkit.forms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.uniserve.api.codec.Codec;
import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Form;
import io.uniserve.api.codec.TypeRegistry;
import io.uniserve.api.form.Name;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A comparison of a form with its golden bytes. A directory has files {@code NAME-VERSION.golden},
 * each with a line for every record and every enum constant of the form: its name, and its bytes in
 * hexadecimal. Written bytes must equal the newest file. Older files never change and must still be
 * readable.
 *
 * <p>With the system property {@value #WRITE} the newest file is written instead.
 */
public final class GoldenForm {
  /** The property by which the bytes of the present version are written instead of compared. */
  public static final String WRITE = "forms.write";

  private static final HexFormat HEX = HexFormat.of();

  private final Path directory;
  private final String name;
  private final Form form;
  private final Map<Class<?>, Codec<?>> custom;
  private final SampleValues samples;

  /**
   * Makes a comparison.
   *
   * @param directory the directory of the files
   * @param name the beginning of their names
   * @param form the form
   * @param custom the codecs that its registry was given
   * @param samples the values whose bytes are compared
   */
  public GoldenForm(
      Path directory,
      String name,
      Form form,
      Map<Class<?>, Codec<?>> custom,
      SampleValues samples) {
    this.directory = directory;
    this.name = name;
    this.form = form;
    this.custom = custom;
    this.samples = samples;
  }

  /**
   * Checks that every name is declared, that all types have their golden bytes, and that bytes of
   * older versions can be read.
   */
  public void check() {
    assertThat(form.types().undeclared())
        .as("travels in the form of %s under a name that no @Name declares", form.name())
        .isEmpty();
    Map<String, Line> now = lines();
    if (Boolean.getBoolean(WRITE)) {
      write(now);
    }
    TreeMap<Integer, Path> files = files();
    assertThat(files).as(howTo("%s has no golden bytes", directory.resolve(name))).isNotEmpty();
    int newest = files.lastKey();
    assertThat(newest)
        .as("%s is of a version that is yet to come", files.get(newest))
        .isLessThanOrEqualTo(form.version());
    compare(read(files.get(newest)), now);
    files.headMap(newest).forEach((version, file) -> checkOlder(version, file, now));
  }

  private void compare(Map<String, String> golden, Map<String, Line> now) {
    assertThat(now.keySet())
        .as(howTo("something in the form of %s is new, or gone", form.name()))
        .isEqualTo(golden.keySet());
    now.forEach(
        (key, line) ->
            assertThat(line.hex())
                .as(howTo("the bytes of %s in the form of %s changed", key, form.name()))
                .isEqualTo(golden.get(key)));
  }

  private static String howTo(String what, Object... of) {
    return String.format(what, of)
        + ", but data on disks and other programs are as they were. Raise the version of the form,"
        + " unless no release has written it yet, mark components that were added with @Since, and"
        + " run this test with -D"
        + WRITE
        + "=true";
  }

  private void checkOlder(int version, Path file, Map<String, Line> now) {
    assertThat(version)
        .as("%s is of a version that is no longer read, and can be deleted", file)
        .isGreaterThanOrEqualTo(form.oldest());
    read(file)
        .forEach(
            (key, hex) -> {
              assertThat(now)
                  .as("%s of version %s is no longer read", key, version)
                  .containsKey(key);
              assertThatCode(() -> readAgain(now.get(key).types(), version, hex))
                  .as("reads %s as version %s wrote it", key, version)
                  .doesNotThrowAnyException();
            });
  }

  private void readAgain(TypeRegistry types, int version, String hex) {
    Decoder in = new Decoder(HEX.parseHex(hex));
    form.readAs(in, version);
    Object value = types.read(in);
    in.requireEnd();
    types.decode(ByteBuffer.wrap(types.encode(value)));
  }

  /**
   * A line of a golden file.
   *
   * @param types the registry with the value's class
   * @param bytes the bytes of the value
   */
  private record Line(TypeRegistry types, byte[] bytes) {
    String hex() {
      return HEX.formatHex(bytes);
    }
  }

  private Map<String, Line> lines() {
    Map<String, Line> lines = new TreeMap<>();
    for (Class<?> type : form.types().reached()) {
      TypeRegistry types = new TypeRegistry(List.of(type), custom);
      if (type.isRecord()) {
        add(lines, keyOf(type), new Line(types, types.encode(samples.of(type))));
      } else if (type.isEnum()) {
        for (Object constant : type.getEnumConstants()) {
          byte[] bytes = types.encode(constant);
          add(lines, keyOf(type) + "." + constantIn(bytes), new Line(types, bytes));
        }
      }
    }
    return lines;
  }

  private static void add(Map<String, Line> lines, String key, Line line) {
    byte[] again = line.types.encode(line.types.decode(ByteBuffer.wrap(line.bytes)));
    assertThat(HEX.formatHex(again)).as("%s, read and written again", key).isEqualTo(line.hex());
    assertThat(lines.put(key, line)).as("something else that is named %s", key).isNull();
  }

  private static String constantIn(byte[] bytes) {
    Decoder in = new Decoder(bytes);
    in.readString(); // skips the name of the type
    return in.readString();
  }

  /** Returns the names of the enclosing types and its own. */
  private static String keyOf(Class<?> type) {
    Name declared = type.getAnnotation(Name.class);
    String own = declared == null ? type.getSimpleName() : declared.value();
    Class<?> outer = type.getDeclaringClass();
    return outer == null ? own : keyOf(outer) + "." + own;
  }

  private TreeMap<Integer, Path> files() {
    Pattern pattern = Pattern.compile(Pattern.quote(name) + "-(\\d+)\\.golden");
    TreeMap<Integer, Path> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.toList()) {
        Matcher matcher = pattern.matcher(file.getFileName().toString());
        if (matcher.matches()) {
          files.put(Integer.parseInt(matcher.group(1)), file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private static Map<String, String> read(Path file) {
    Map<String, String> golden = new TreeMap<>();
    try {
      for (String line : Files.readAllLines(file)) {
        String[] parts = line.split(" ");
        golden.put(parts[0], parts[1]);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return golden;
  }

  private void write(Map<String, Line> now) {
    try {
      Files.createDirectories(directory);
      Files.write(
          directory.resolve(name + "-" + form.version() + ".golden"),
          now.entrySet().stream().map(e -> e.getKey() + " " + e.getValue().hex()).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
