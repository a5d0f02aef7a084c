package dev.toolcrib.demo.domain;

import dev.toolcrib.demo.records.Book;
import dev.toolcrib.demo.records.ToolFailure;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Whether what is made and bought is good 质量. */
final class Quality extends Domain {

  Quality() {
    super("quality");
    on("inspection_record", Quality::record);
    on("process_capability", Quality::capability);
  }

  private static JsonNode record(Book book, Arguments a) {
    ObjectNode inspection = book.table("inspection").get(a.text("inspectionNo"));
    ArrayNode results = inspection.putArray("results");
    boolean passed = true;
    for (JsonNode measured : a.list("measurements")) {
      double off =
          Math.abs(measured.path("value").doubleValue() - measured.path("nominal").doubleValue());
      boolean fits = off <= measured.path("tolerance").doubleValue();
      passed &= fits;
      results.add(((ObjectNode) measured.deepCopy()).put("passed", fits));
    }
    return inspection
        .put("status", passed ? "passed" : "failed")
        .put("inspectedBy", a.caller().user());
  }

  private static JsonNode capability(Book book, Arguments a) {
    double lower = a.json().path("lower").doubleValue();
    double upper = a.json().path("upper").doubleValue();
    if (lower >= upper) {
      throw ToolFailure.of("规格下限 %s 必须小于上限 %s。", lower, upper);
    }
    double[] samples =
        StreamSupport.stream(a.list("samples").spliterator(), false)
            .mapToDouble(JsonNode::doubleValue)
            .toArray();
    double mean = DoubleStream.of(samples).average().orElse(0);
    double sigma =
        Math.sqrt(
            DoubleStream.of(samples).map(x -> (x - mean) * (x - mean)).sum()
                / (samples.length - 1));
    if (sigma == 0) {
      throw ToolFailure.of("样本没有波动，无法计算过程能力。");
    }
    return JSON.createObjectNode()
        .put("mean", rounded(mean))
        .put("sigma", rounded(sigma))
        .put("cp", rounded((upper - lower) / (6 * sigma)))
        .put("cpk", rounded(Math.min(upper - mean, mean - lower) / (3 * sigma)));
  }

  private static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
