package dev.toolcrib.demo.domain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Sums of money, to the cent. */
final class Money {

  static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

  private Money() {}

  static BigDecimal cents(BigDecimal amount) {
    return amount.setScale(2, RoundingMode.HALF_UP);
  }

  static BigDecimal percent(BigDecimal amount, BigDecimal percent) {
    return cents(amount.multiply(percent).divide(HUNDRED));
  }

  static BigDecimal of(JsonNode row, String field) {
    return row.path(field).asDecimal(BigDecimal.ZERO);
  }

  static BigDecimal sum(Stream<BigDecimal> amounts) {
    return amounts.reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /** The total of lines with quantity and price, less a discount in percent. */
  static BigDecimal total(JsonNode lines, BigDecimal discountPercent) {
    BigDecimal full =
        sum(
            StreamSupport.stream(lines.spliterator(), false)
                .map(line -> of(line, "price").multiply(of(line, "quantity"))));
    return cents(full.subtract(percent(full, discountPercent)));
  }
}
