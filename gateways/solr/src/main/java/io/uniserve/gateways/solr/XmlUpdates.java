package io.uniserve.gateways.solr;

import static javax.xml.stream.XMLStreamConstants.START_ELEMENT;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.surfaces.XmlText;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * The reader of updates in XML: {@code <add>}, {@code <delete>}, {@code <commit>}, {@code
 * <optimize>}, or several of these in {@code <update>}. Document types and their entities are not
 * read.
 */
record XmlUpdates(XMLStreamReader in, Update update) {
  private static final Pattern PLACE =
      Pattern.compile("^ParseError at \\[row,col]:\\[(\\d+),(\\d+)]\\s*Message: ");

  static void read(SolrRequest request, Update update) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    String text = XmlText.decode(request.body(), request.charset());
    requireFewElements(text);
    try {
      XMLStreamReader in = factory.createXMLStreamReader(new StringReader(text));
      in.nextTag();
      new XmlUpdates(in, update).readCommand();
      while (in.hasNext()) {
        in.next(); // refuses everything that follows except comments
      }
    } catch (XMLStreamException e) {
      throw UniserveException.invalid(
          "malformed XML: " + PLACE.matcher(e.getMessage()).replaceFirst("line $1, column $2: "));
    }
  }

  private static void requireFewElements(String text) {
    long elements = text.chars().filter(each -> each == '<').count();
    if (elements > 2 * Update.VALUES_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "XML with more than " + Update.VALUES_MAX + " values");
    }
  }

  private void readCommand() throws XMLStreamException {
    String command = in.getLocalName();
    update.command(attributes());
    switch (command) {
      case "commit", "optimize" -> update.command(Map.of("commit", true));
      case "add", "delete", "update" -> {}
      default -> throw refused();
    }
    List<String> ids = new ArrayList<>();
    while (in.nextTag() == START_ELEMENT) {
      switch (command + "/" + in.getLocalName()) {
        case "update/add", "update/delete", "update/commit", "update/optimize" -> readCommand();
        case "add/doc" -> readDocument();
        case "delete/id" -> ids.add(in.getElementText());
        case "delete/query" -> update.deleteMatching(in.getElementText());
        default -> throw refused();
      }
    }
    update.delete(ids);
  }

  private void readDocument() throws XMLStreamException {
    Map<String, Object> document = new LinkedHashMap<>();
    if (in.getAttributeCount() > 0) {
      throw refused();
    }
    while (in.nextTag() == START_ELEMENT) {
      Map<String, String> attributes = attributes();
      String name = attributes.remove("name");
      if (!in.getLocalName().equals("field") || name == null || !attributes.isEmpty()) {
        throw refused();
      }
      document.merge(name, in.getElementText(), CsvUpdates::join);
    }
    update.add(document);
  }

  private Map<String, String> attributes() {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < in.getAttributeCount(); i++) {
      attributes.put(in.getAttributeLocalName(i), in.getAttributeValue(i));
    }
    return attributes;
  }

  private UniserveException refused() {
    String element = Excerpt.of(in.getLocalName()) + Excerpt.of(attributes().keySet());
    return UniserveException.invalid(
        "line " + in.getLocation().getLineNumber() + ": unexpected element " + element);
  }
}
