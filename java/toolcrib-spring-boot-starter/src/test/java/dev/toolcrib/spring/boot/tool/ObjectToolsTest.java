package dev.toolcrib.spring.boot.tool;

import static dev.toolcrib.spring.boot.Crib.CLERK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Caller;
import dev.toolcrib.Exposure;
import dev.toolcrib.PublishReport;
import dev.toolcrib.ToolAnnotations;
import dev.toolcrib.ToolCall;
import dev.toolcrib.ToolInfo;
import dev.toolcrib.ToolPage;
import dev.toolcrib.ToolRegistry;
import dev.toolcrib.ToolResult;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSession;
import dev.toolcrib.ToolSource;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.core.io.DefaultResourceLoader;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ObjectToolsTest {

  private final JsonMapper mapper = JsonMapper.builder().build();
  private final ObjectTools tools = new ObjectTools(mapper, new DefaultResourceLoader());
  private final ToolRegistry registry =
      ToolRegistry.builder().authorizer(caller -> ToolSelection.all()).build();

  @AfterEach
  void close() {
    registry.close();
  }

  enum Channel {
    WEB,
    PHONE
  }

  record Line(String article, int quantity) {}

  record NewOrder(
      @JsonPropertyDescription("Who orders") String customer,
      List<Line> lines,
      Channel channel,
      LocalDate wanted,
      @Nullable String note,
      Optional<BigDecimal> discount) {}

  record OrderNumber(String order) {}

  static class OrderTools {

    @CribTool(
        name = "create_order",
        title = "Create order",
        description = "Creates an order",
        domain = "orders",
        tags = "write",
        keywords = "buy",
        hints = {CribTool.Hint.NOT_DESTRUCTIVE, CribTool.Hint.CLOSED_WORLD},
        exposure = Exposure.DEFERRED)
    Map<String, Object> create(NewOrder order, Caller caller) {
      return Map.of("customer", order.customer(), "by", caller.user());
    }

    @CribTool(description = "Refunds an order", inputSchema = "classpath:tools/refund.json")
    CompletionStage<ToolResult> refund(ToolCall call, Map<String, Object> arguments) {
      return CompletableFuture.completedFuture(
          ToolResult.text(call.tool().name() + " " + arguments.get("order")));
    }

    @CribTool(description = "Says hello")
    String hello() {
      return "hello";
    }

    @CribTool(description = "Does something and says nothing")
    void quiet() {}

    @CribTool(description = "Throws")
    String fails() {
      throw new IllegalStateException("jdbc:secret");
    }

    String notATool() {
      return "never";
    }
  }

  @Test
  void annotatedMethodsAndNoOthersBecomeTools() {
    PublishReport report = put(tools.source("orders", new OrderTools()).build());

    assertThat(report.quarantined()).isEmpty();
    assertThat(registry.list(CLERK, null, 10).tools())
        .extracting(entry -> entry.tool().name())
        .containsExactly("create_order", "fails", "hello", "quiet", "refund");
  }

  @Test
  void theAnnotationSaysWhatTheToolIs() {
    put(tools.source("orders", new OrderTools()).build());
    ToolInfo tool = entry("create_order").tool();

    assertThat(tool.title()).isEqualTo("Create order");
    assertThat(tool.description()).isEqualTo("Creates an order");
    assertThat(tool.domain()).isEqualTo("orders");
    assertThat(tool.tags()).containsExactly("write");
    assertThat(tool.exposure()).isEqualTo(Exposure.DEFERRED);
    assertThat(tool.annotations()).isEqualTo(new ToolAnnotations(null, null, false, null, false));
  }

  @Test
  void theSchemaOfARecordSaysWhatIsNeededAndForbidsTheRest() {
    put(tools.source("orders", new OrderTools()).build());
    JsonNode schema = mapper.readTree(entry("create_order").inputSchema());

    assertThat(schema.path("type").stringValue()).isEqualTo("object");
    assertThat(schema.path("additionalProperties").booleanValue()).isFalse();
    assertThat(schema.path("required"))
        .extracting(JsonNode::stringValue)
        .containsExactlyInAnyOrder("channel", "customer", "lines", "wanted");
    JsonNode properties = schema.path("properties");
    assertThat(properties.propertyNames())
        .containsExactlyInAnyOrder("channel", "customer", "discount", "lines", "note", "wanted");
    assertThat(properties.at("/customer/description").stringValue()).isEqualTo("Who orders");
    assertThat(properties.at("/lines/items/properties/quantity/type").stringValue())
        .isEqualTo("integer");
    assertThat(properties.at("/channel/enum"))
        .extracting(JsonNode::stringValue)
        .containsExactly("WEB", "PHONE");
    assertThat(properties.at("/wanted/format").stringValue()).isEqualTo("date");
    assertThat(properties.at("/discount/type"))
        .extracting(JsonNode::stringValue)
        .containsExactly("number", "null");
    assertThat(properties.at("/note/type"))
        .extracting(JsonNode::stringValue)
        .containsExactly("string", "null");
  }

  @Test
  void argumentsThatSatisfyTheSchemaAreReadIntoTheRecord() {
    put(tools.source("orders", new OrderTools()).build());
    CallResult result =
        call(
            "create_order",
            """
            {"customer":"Yu","lines":[{"article":"a","quantity":2}],"channel":"WEB",
             "wanted":"2026-12-24","note":null,"discount":0.05}\
            """);

    assertThat(result).isInstanceOf(CallResult.Completed.class);
    assertThat(mapper.readTree(result.text()))
        .isEqualTo(mapper.readTree("{\"customer\":\"Yu\",\"by\":\"ann\"}"));
    assertThat(((CallResult.Completed) result).payload().structuredContent())
        .isEqualTo(result.text());
  }

  @Test
  void argumentsThatDoNotSatisfyTheSchemaNeverReachTheMethod() {
    put(tools.source("orders", new OrderTools()).build());
    assertThat(call("create_order", "{\"customer\":\"Yu\",\"surprise\":1}"))
        .isInstanceOf(CallResult.InvalidArguments.class);
  }

  @Test
  void resultsOfEveryKindAreWritten() {
    put(tools.source("orders", new OrderTools()).build());
    assertThat(call("hello", "{}").text()).isEqualTo("hello");
    assertThat(call("quiet", "{}").text()).isEqualTo("Done.");
    assertThat(call("refund", "{\"order\":\"A-1\"}").text()).isEqualTo("refund A-1");
  }

  @Test
  void whatAMethodThrowsIsNotToldToTheModel() {
    put(tools.source("orders", new OrderTools()).build());
    CallResult result = call("fails", "{}");
    assertThat(result).isInstanceOf(CallResult.Failed.class);
    assertThat(result.text()).doesNotContain("secret");
  }

  @Test
  void aProxyIsCalledAsAProxy() {
    ProxyFactory proxy = new ProxyFactory(new OrderTools());
    proxy.setProxyTargetClass(true);
    proxy.addAdvice(
        (org.aopalliance.intercept.MethodInterceptor) call -> "advised " + call.proceed());
    put(tools.source("orders", proxy.getProxy()).build());

    assertThat(call("hello", "{}").text()).isEqualTo("advised hello");
  }

  @Test
  void aFunctionTakesItsArgumentsAsAClass() {
    put(
        ToolSource.named("orders")
            .tool(
                dev.toolcrib.ToolDefinition.named("track")
                    .inputSchema("{\"type\":\"object\"}")
                    .build(),
                tools.executor(
                    OrderNumber.class, (number, call) -> call.caller().user() + number.order()))
            .build());

    assertThat(call("mcp__orders__track", "{\"order\":\"A-1\"}").text()).isEqualTo("annA-1");
  }

  @Test
  void whereSchemaAndClassDisagreeTheModelReadsThePlaceAndNoClassName() {
    put(
        ToolSource.named("orders")
            .tool(
                dev.toolcrib.ToolDefinition.named("track")
                    .inputSchema("{\"type\":\"object\"}")
                    .build(),
                tools.executor(OrderNumber.class, OrderNumber::order))
            .build());
    CallResult result = call("mcp__orders__track", "{\"order\":{}}");

    assertThat(result).isInstanceOf(CallResult.Failed.class);
    assertThat(result.text()).contains("/order").doesNotContain("OrderNumber");
  }

  @Test
  void whatCannotBeAToolIsRefusedAtOnce() {
    assertThatIllegalArgumentException().isThrownBy(() -> tools.source("s", new Object()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tools.source("s", new OrderTools(), new OrderTools()))
        .withMessageContaining("create_order");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                tools.source(
                    "s",
                    new Object() {
                      @CribTool(description = "takes its arguments apart")
                      void apart(String a, String b) {}
                    }));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                tools.source(
                    "s",
                    new Object() {
                      @CribTool(description = "has no schema")
                      void untyped(Map<String, Object> arguments) {}
                    }))
        .withMessageContaining("inputSchema");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                tools.source(
                    "s",
                    new Object() {
                      @CribTool(
                          description = "contradicts itself",
                          hints = {CribTool.Hint.DESTRUCTIVE, CribTool.Hint.NOT_DESTRUCTIVE})
                      void contradicts() {}
                    }));
    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(
            () ->
                tools.source(
                    "s",
                    new Object() {
                      @CribTool(description = "x", inputSchema = "classpath:tools/missing.json")
                      void missing() {}
                    }));
  }

  private PublishReport put(ToolSource source) {
    return registry.put(source);
  }

  private ToolPage.Entry entry(String name) {
    return registry.list(CLERK, null, 100).tools().stream()
        .filter(entry -> entry.tool().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private CallResult call(String name, String arguments) {
    try (ToolSession session = registry.session(CLERK).open()) {
      return session.call(CallRequest.of(name, arguments).allowingInactive()).join();
    }
  }
}
