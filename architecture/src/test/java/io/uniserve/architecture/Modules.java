package io.uniserve.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.NodeList;

/** The modules that the root POM lists, and the main classes that belong to each. */
final class Modules {
  static final Path ROOT = root();
  static final List<String> NAMES = readNames();
  static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.uniserve");

  /**
   * The directories of the build output, as in the URI of a class file, or of a jar with class
   * files.
   */
  private static final Map<String, String> OUTPUTS = outputs();

  /** The module of each class, kept because a class is looked up whenever another names it. */
  private static final Map<JavaClass, Optional<String>> KNOWN = new ConcurrentHashMap<>();

  private Modules() {}

  /** Returns the module whose build output contains the class; empty for a library's class. */
  static Optional<String> of(JavaClass type) {
    return KNOWN.computeIfAbsent(
        type, unknown -> unknown.getSource().flatMap(source -> of(source.getUri().toString())));
  }

  static List<JavaClass> classesOf(String module) {
    return CLASSES.stream().filter(type -> of(type).equals(Optional.of(module))).toList();
  }

  static Path mainSources(String module) {
    return ROOT.resolve(module).resolve("src/main/java");
  }

  private static Optional<String> of(String uri) {
    return NAMES.stream().filter(name -> uri.contains(OUTPUTS.get(name))).findFirst();
  }

  private static Map<String, String> outputs() {
    String root = ROOT.toUri().getRawPath().replaceAll("/$", "");
    return NAMES.stream()
        .collect(Collectors.toMap(name -> name, name -> root + "/" + name + "/target/"));
  }

  private static Path root() {
    Path directory = Path.of(System.getProperty("basedir", "")).toAbsolutePath().normalize();
    while (!Files.isDirectory(directory.resolve(".mvn"))) {
      directory = directory.getParent();
      if (directory == null) {
        throw new IllegalStateException("not below the root of the project");
      }
    }
    return directory;
  }

  private static List<String> readNames() {
    try {
      NodeList elements =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(ROOT.resolve("pom.xml").toFile())
              .getElementsByTagName("module");
      List<String> names = new ArrayList<>();
      for (int i = 0; i < elements.getLength(); i++) {
        names.add(elements.item(i).getTextContent().strip());
      }
      return List.copyOf(names);
    } catch (Exception e) {
      throw new IllegalStateException("cannot read the root POM", e);
    }
  }
}
