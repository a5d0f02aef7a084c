package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.time.LocalDate;
import java.time.ZoneId;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Devices, systems and who may use them. */
final class Technology extends Domain {

  Technology() {
    super("it");
    on("access_review", Technology::review);
    on("incident_declare", Technology::declare);
    on("incident_close", Technology::close);
  }

  private static JsonNode review(Book book, Arguments a) {
    ObjectNode answer = JSON.createObjectNode();
    for (ObjectNode access :
        book.table("access")
            .rows(
                row ->
                    row.path("status").asString().equals("granted")
                        && (!a.has("system")
                            || row.get("system").equals(a.json().get("system"))))) {
      String system = access.path("system").asString();
      ArrayNode rights =
          answer.path(system).isArray() ? (ArrayNode) answer.get(system) : answer.putArray(system);
      rights
          .addObject()
          .put("employeeId", access.path("employeeId").asString())
          .put("level", access.path("level").asString())
          .put("accessNo", access.path("accessNo").asString());
    }
    return answer;
  }

  private static JsonNode declare(Book book, Arguments a) {
    book.table("service").get(a.text("serviceName")).put("status", "down");
    return book.table("incident")
        .add(
            a.json()
                .deepCopy()
                .put("status", "open")
                .put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString()));
  }

  private static JsonNode close(Book book, Arguments a) {
    ObjectNode incident = book.table("incident").get(a.text("incidentNo"));
    if (!incident.path("status").asString().equals("open")) {
      throw ToolFailure.of("%s is closed.", a.text("incidentNo"));
    }
    book.table("service").get(incident.path("serviceName").asString()).put("status", "up");
    return incident.put("status", "closed").put("cause", a.text("cause"));
  }
}
