package io.uniserve.gateways.solr;

import static javax.xml.stream.XMLStreamConstants.START_ELEMENT;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads updates in XML: {@code <add>}, {@code <delete>}, {@code <commit>}, {@code <optimize>}, or
 * several of these in {@code <update>}. Document types and their entities are not read.
 */
record XmlUpdates(XMLStreamReader in, Update update) {

  static void read(byte[] body, Update update) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    requireFewElements(body);
    try {
      XMLStreamReader in = factory.createXMLStreamReader(new ByteArrayInputStream(body));
      in.nextTag();
      new XmlUpdates(in, update).readCommand();
    } catch (XMLStreamException e) {
      throw UniserveException.invalid("malformed XML: " + e.getMessage());
    }
  }

  private static void requireFewElements(byte[] body) {
    int elements = 0;
    for (byte each : body) {
      elements += each == '<' ? 1 : 0;
    }
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
    String element = in.getLocalName() + attributes().keySet();
    return UniserveException.invalid(
        "line " + in.getLocation().getLineNumber() + ": unexpected element " + element);
  }
}
