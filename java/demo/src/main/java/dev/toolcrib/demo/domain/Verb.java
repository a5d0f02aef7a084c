package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.Table;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a tool does with a table, where that needs no code of its own:
 *
 * <pre>
 * get TABLE                              the row of the id among the arguments
 * find TABLE                             the rows that fit the arguments
 * count TABLE by FIELD                   how many rows fit, for each value of a field
 * sum TABLE.FIELD by FIELD               the same with a total
 * create TABLE [as STATUS]               a new row of the arguments
 * change TABLE [from STATUS,…] [to STATUS]   sets the arguments in a row, if its status allows it
 * append TABLE.LIST                      adds the arguments to a list in a row
 * delete TABLE                           removes a row
 * </pre>
 *
 * @param kind what is done
 * @param table the table
 * @param field a field of a row; empty where the verb needs none
 * @param by the field to group by; empty where the verb does not group
 * @param from the statuses in which a row may be changed; empty for all
 * @param to the status of the row then; empty leaves it as it is
 */
record Verb(Kind kind, String table, String field, String by, List<String> from, String to) {

  private static final Pattern FORM =
      Pattern.compile(
          "(get|find|count|sum|create|change|append|delete) (\\w+)(?:\\.(\\w+))?"
              + "(?: by (\\w+))?(?: as (\\w+))?(?: from ([\\w,]+))?(?: to (\\w+))?");
  private static final int DEFAULT_ITEMS = 20;
  private static final List<String> PAGING = List.of("text", "from", "to", "limit", "offset");

  enum Kind {
    GET,
    FIND,
    COUNT,
    SUM,
    CREATE,
    CHANGE,
    APPEND,
    DELETE
  }

  static Verb parse(String does) {
    Matcher m = FORM.matcher(does);
    if (!m.matches()) {
      throw new IllegalArgumentException("not a verb: " + does);
    }
    return new Verb(
        Kind.valueOf(m.group(1).toUpperCase(Locale.ROOT)),
        m.group(2),
        part(m, 3),
        part(m, 4),
        part(m, 6).isEmpty() ? List.of() : List.of(part(m, 6).split(",")),
        part(m, 5) + part(m, 7));
  }

  private static String part(Matcher matched, int group) {
    return Objects.requireNonNullElse(matched.group(group), "");
  }

  boolean changes() {
    return switch (kind) {
      case GET, FIND, COUNT, SUM -> false;
      case CREATE, CHANGE, APPEND, DELETE -> true;
    };
  }

  JsonNode execute(Book book, Arguments arguments) {
    Table rows = book.table(table);
    return switch (kind) {
      case GET -> rows.get(arguments.text(rows.definition().id()));
      case FIND -> page(matching(rows, arguments), arguments);
      case COUNT, SUM -> grouped(matching(rows, arguments), by, field);
      case CREATE -> create(rows, arguments);
      case CHANGE -> change(rows, arguments);
      case APPEND -> append(rows, arguments);
      case DELETE -> rows.remove(arguments.text(rows.definition().id()));
    };
  }

  private JsonNode create(Table rows, Arguments arguments) {
    ObjectNode row = arguments.json().deepCopy();
    if (!to.isEmpty()) {
      row.put("status", to);
    }
    row.put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString())
        .put("createdBy", arguments.caller().user());
    return rows.add(row);
  }

  private JsonNode change(Table rows, Arguments arguments) {
    ObjectNode row = rows.get(arguments.text(rows.definition().id()));
    String status = row.path("status").asString("");
    if (!from.isEmpty() && !from.contains(status)) {
      throw new ToolFailure(
          "%s 当前状态为 %s，此操作只允许在状态 %s 下进行。",
          "%s is %s; this is possible only while it is %s.",
          arguments.text(rows.definition().id()),
          status,
          String.join(" / ", from));
    }
    row.setAll(arguments.json());
    if (!to.isEmpty()) {
      row.put("status", to);
    }
    return row.put("changedOn", LocalDate.now(ZoneId.systemDefault()).toString())
        .put("changedBy", arguments.caller().user());
  }

  private JsonNode append(Table rows, Arguments arguments) {
    String id = rows.definition().id();
    ObjectNode row = rows.get(arguments.text(id));
    ObjectNode entry = arguments.json().deepCopy();
    entry.remove(id);
    entry
        .put("on", LocalDate.now(ZoneId.systemDefault()).toString())
        .put("by", arguments.caller().user());
    ArrayNode list = row.path(field).isArray() ? (ArrayNode) row.get(field) : row.putArray(field);
    list.add(entry);
    return row;
  }

  private static List<ObjectNode> matching(Table rows, Arguments arguments) {
    String date = rows.definition().date();
    Predicate<ObjectNode> fits = row -> true;
    for (Map.Entry<String, JsonNode> argument : arguments.json().properties()) {
      if (!PAGING.contains(argument.getKey())) {
        fits = fits.and(row -> fits(row, argument.getKey(), argument.getValue()));
      }
    }
    String text = arguments.text("text", "").toLowerCase(Locale.ROOT);
    String from = arguments.text("from", "");
    String to = arguments.text("to", "9999");
    return rows.rows(
        fits.and(row -> text.isEmpty() || row.toString().toLowerCase(Locale.ROOT).contains(text))
            .and(row -> date == null || between(row.path(date).asString(""), from, to)));
  }

  private static boolean between(String date, String from, String to) {
    return date.compareTo(from) >= 0 && date.compareTo(to) <= 0;
  }

  private static boolean fits(ObjectNode row, String name, JsonNode wanted) {
    if (name.matches("(min|max)[A-Z].*")) {
      JsonNode value = row.path(Character.toLowerCase(name.charAt(3)) + name.substring(4));
      int order = value.isNumber() ? value.decimalValue().compareTo(wanted.decimalValue()) : -1;
      return value.isNumber() && (name.startsWith("min") ? order >= 0 : order <= 0);
    }
    JsonNode value = row.path(name);
    if (wanted.isArray()) {
      return StreamSupport.stream(wanted.spliterator(), false).anyMatch(value::equals);
    }
    return (value.isNumber() && wanted.isNumber())
        ? value.decimalValue().compareTo(wanted.decimalValue()) == 0
        : value.equals(wanted);
  }

  private static JsonNode page(List<ObjectNode> rows, Arguments arguments) {
    int offset = Math.min(arguments.whole("offset", 0), rows.size());
    int end = Math.min(rows.size(), offset + arguments.whole("limit", DEFAULT_ITEMS));
    ObjectNode answer = JsonMapper.shared().createObjectNode().put("total", rows.size());
    rows.subList(offset, end).forEach(answer.putArray("items")::add);
    return answer;
  }

  private static JsonNode grouped(List<ObjectNode> rows, String by, String summed) {
    Map<String, BigDecimal> totals = new TreeMap<>();
    for (ObjectNode row : rows) {
      BigDecimal value =
          summed.isEmpty() ? BigDecimal.ONE : row.path(summed).asDecimal(BigDecimal.ZERO);
      totals.merge(row.path(by).asString("-"), value, BigDecimal::add);
    }
    ArrayNode answer = JsonMapper.shared().createArrayNode();
    totals.entrySet().stream()
        .sorted(
            Map.Entry.<String, BigDecimal>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(
            group ->
                answer
                    .addObject()
                    .put(by, group.getKey())
                    .put(summed.isEmpty() ? "count" : summed, group.getValue()));
    return answer;
  }
}
