package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How goods reach customers 物流. */
final class Logistics extends Domain {

  /** Latitude and longitude in degrees. */
  private record Place(double latitude, double longitude) {}

  private static final Map<String, Place> CITIES =
      Map.ofEntries(
          Map.entry("苏州", new Place(31.30, 120.58)),
          Map.entry("上海", new Place(31.23, 121.47)),
          Map.entry("南京", new Place(32.06, 118.80)),
          Map.entry("杭州", new Place(30.27, 120.16)),
          Map.entry("合肥", new Place(31.82, 117.23)),
          Map.entry("武汉", new Place(30.59, 114.31)),
          Map.entry("佛山", new Place(23.02, 113.12)),
          Map.entry("广州", new Place(23.13, 113.26)),
          Map.entry("深圳", new Place(22.54, 114.06)),
          Map.entry("成都", new Place(30.57, 104.07)),
          Map.entry("西安", new Place(34.34, 108.94)),
          Map.entry("北京", new Place(39.90, 116.41)),
          Map.entry("天津", new Place(39.34, 117.36)),
          Map.entry("青岛", new Place(36.07, 120.38)));

  Logistics() {
    super("logistics");
    on("shipment_create", Logistics::ship);
    on("shipment_track", Logistics::track);
    on("shipment_deliver", Logistics::deliver);
    on("freight_quote", (book, a) -> freight(book.table("carrier").get(a.text("carrierCode")), a));
    on("carrier_compare", Logistics::compare);
    on("route_plan", Logistics::route);
    on("delivery_performance", Logistics::performance);
  }

  private static JsonNode ship(Book book, Arguments a) {
    ObjectNode order = book.table("order").get(a.text("orderNo"));
    if (!order.path("status").asString().equals("confirmed")) {
      throw ToolFailure.of(
          "订单 %s 的状态是 %s，确认（order_confirm）之后才能发货。",
          a.text("orderNo"), order.path("status").asString());
    }
    Stock stock = new Stock(book);
    String warehouse = order.path("warehouseCode").asString();
    for (JsonNode line : order.get("lines")) {
      stock.release(line.path("sku").asString(), warehouse, line.path("quantity").intValue());
      stock.issue(
          line.path("sku").asString(),
          warehouse,
          line.path("quantity").intValue(),
          "sale",
          a.text("orderNo"));
    }
    order.put("status", "shipped");
    int days = book.table("carrier").get(a.text("carrierCode")).path("days").intValue();
    ObjectNode shipment =
        a.json()
            .deepCopy()
            .put("status", "in_transit")
            .put("createdOn", LocalDate.now(ZoneId.systemDefault()).toString())
            .put("promisedOn", LocalDate.now(ZoneId.systemDefault()).plusDays(days).toString());
    shipment
        .putArray("events")
        .addObject()
        .put("at", LocalDate.now(ZoneId.systemDefault()).toString())
        .put("place", warehouse)
        .put("what", "已揽收");
    return book.table("shipment").add(shipment);
  }

  private static JsonNode track(Book book, Arguments a) {
    List<ObjectNode> found =
        book.table("shipment")
            .rows(
                row ->
                    a.has("shipmentNo")
                        ? row.get("shipmentNo").equals(a.json().get("shipmentNo"))
                        : row.get("orderNo").equals(a.json().get("orderNo")));
    if (found.isEmpty()) {
      throw ToolFailure.of("订单 %s 还没有发货。", a.text("orderNo"));
    }
    ArrayNode answer = JSON.createArrayNode();
    for (ObjectNode shipment : found) {
      JsonNode events = shipment.get("events");
      LocalDate promised = LocalDate.parse(shipment.path("promisedOn").asString());
      boolean late =
          shipment.path("status").asString().equals("in_transit")
              && promised.isBefore(LocalDate.now(ZoneId.systemDefault()));
      ObjectNode row = answer.addObject();
      for (String field :
          new String[] {"shipmentNo", "orderNo", "carrierCode", "status", "promisedOn"}) {
        row.set(field, shipment.get(field));
      }
      row.put("late", late);
      row.set("latest", events.get(events.size() - 1));
    }
    return answer;
  }

  private static JsonNode deliver(Book book, Arguments a) {
    ObjectNode shipment = book.table("shipment").get(a.text("shipmentNo"));
    if (!shipment.path("status").asString().equals("in_transit")) {
      throw ToolFailure.of(
          "运单 %s 的状态是 %s，不能签收。", a.text("shipmentNo"), shipment.path("status").asString());
    }
    book.table("order").get(shipment.path("orderNo").asString()).put("status", "delivered");
    return shipment
        .put("status", "delivered")
        .put("signedBy", a.text("signedBy"))
        .put("deliveredOn", LocalDate.now(ZoneId.systemDefault()).toString());
  }

  private static ObjectNode freight(ObjectNode carrier, Arguments a) {
    int km = kilometres(a.text("fromCity"), a.text("toCity"));
    BigDecimal weight = a.decimal("weightKg");
    BigDecimal price =
        Money.of(carrier, "basePrice")
            .add(weight.multiply(Money.of(carrier, "perKg")))
            .add(weight.multiply(BigDecimal.valueOf(km)).multiply(Money.of(carrier, "perKgKm")));
    ObjectNode answer = JSON.createObjectNode();
    answer.set("carrierCode", carrier.get("carrierCode"));
    answer.set("name", carrier.get("name"));
    answer.put("km", km).put("price", Money.cents(price)).put("currency", "CNY");
    answer.set("days", carrier.get("days"));
    return answer;
  }

  private static JsonNode compare(Book book, Arguments a) {
    ArrayNode answer = JSON.createArrayNode();
    book.table("carrier")
        .rows()
        .map(carrier -> freight(carrier, a))
        .sorted(Comparator.comparing(quote -> Money.of(quote, "price")))
        .forEach(answer::add);
    return answer;
  }

  /** Always on to the nearest city that is left. */
  private static JsonNode route(Book book, Arguments a) {
    List<String> left = new ArrayList<>();
    a.list("stops").forEach(stop -> left.add(stop.asString()));
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode legs = answer.putArray("legs");
    String here = a.text("startCity");
    int total = 0;
    while (!left.isEmpty()) {
      String from = here;
      here =
          left.stream().min(Comparator.comparingInt(city -> kilometres(from, city))).orElseThrow();
      left.remove(here);
      int km = kilometres(from, here);
      total += km;
      legs.addObject().put("from", from).put("to", here).put("km", km);
    }
    return answer.put("totalKm", total);
  }

  private static JsonNode performance(Book book, Arguments a) {
    Map<String, int[]> carriers = new TreeMap<>();
    String from = a.text("from", "");
    String to = a.text("to", "9999");
    for (ObjectNode row :
        book.table("shipment")
            .rows(
                row ->
                    row.path("createdOn").asString().compareTo(from) >= 0
                        && row.path("createdOn").asString().compareTo(to) <= 0)) {
      String end =
          row.path("deliveredOn").asString(LocalDate.now(ZoneId.systemDefault()).toString());
      int[] counts =
          carriers.computeIfAbsent(row.path("carrierCode").asString(), code -> new int[2]);
      counts[0]++;
      counts[1] += end.compareTo(row.path("promisedOn").asString()) > 0 ? 1 : 0;
    }
    ArrayNode answer = JSON.createArrayNode();
    carriers.forEach(
        (code, counts) ->
            answer
                .addObject()
                .put("carrierCode", code)
                .put("shipments", counts[0])
                .put("late", counts[1])
                .put("onTimePercent", 100 * (counts[0] - counts[1]) / counts[0]));
    return answer;
  }

  /** Along a great circle, with a fifth more for roads. */
  private static int kilometres(String from, String to) {
    Place a = CITIES.getOrDefault(from, new Place(0, 0));
    Place b = CITIES.getOrDefault(to, new Place(0, 0));
    double dLat = Math.toRadians(b.latitude - a.latitude);
    double dLon = Math.toRadians(b.longitude - a.longitude);
    double h =
        Math.pow(Math.sin(dLat / 2), 2)
            + Math.cos(Math.toRadians(a.latitude))
                * Math.cos(Math.toRadians(b.latitude))
                * Math.pow(Math.sin(dLon / 2), 2);
    return (int) Math.round(1.2 * 2 * 6371 * Math.asin(Math.sqrt(h)));
  }
}
