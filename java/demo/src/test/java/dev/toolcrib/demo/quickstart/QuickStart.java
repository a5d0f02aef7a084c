package dev.toolcrib.demo.quickstart;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.toolcrib.CallRequest;
import dev.toolcrib.CallResult;
import dev.toolcrib.Caller;
import dev.toolcrib.Target;
import dev.toolcrib.ToolAuthorizer;
import dev.toolcrib.ToolSelection;
import dev.toolcrib.ToolSource;
import dev.toolcrib.spring.boot.ToolConversation;
import dev.toolcrib.spring.boot.ToolSessions;
import dev.toolcrib.spring.boot.tool.CribTool;
import dev.toolcrib.spring.boot.tool.ObjectTools;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The quick start of the READMEs, which contain the marked parts letter by letter. */
@EnableAutoConfiguration
final class QuickStart {

  // <tools>
  @Configuration
  static class Tools {

    record FindOrder(@JsonPropertyDescription("订单号，例如 SO-1001") String orderNo) {}

    static class OrderTools {
      @CribTool(name = "order_get", description = "按订单号查询订单状态 Look up an order's status")
      String get(FindOrder arguments, Caller caller) {
        return arguments.orderNo() + " of " + caller.tenant() + " is shipped";
      }
    }

    @Bean
    ToolSource orders(ObjectTools tools) {
      return tools.source("orders", new OrderTools()).description("订单 Orders").build();
    }

    @Bean
    ToolAuthorizer authorizer() {
      return caller ->
          caller.hasRole("ROLE_SALES") ? ToolSelection.sources("orders") : ToolSelection.none();
    }
  }

  // </tools>

  private QuickStart() {}

  static String[] turn(ToolSessions sessions, Caller caller) throws Exception {
    // <turn>
    try (ToolConversation conversation = sessions.open(caller, "conversation-1")) {
      // 1. "tools" of the request to the model; at first that is tool_search alone
      String tools = conversation.render(Target.OPENAI_CHAT).json();

      // 2. the model calls tool_search or a tool it was given; what it should read comes back
      CallResult result =
          conversation
              .call(CallRequest.of("tool_search", "{\"query\": \"订单到哪一步了\"}"))
              .get();

      // 3. the next request declares what was found, behind what was there before
      String more = conversation.render(Target.OPENAI_CHAT).json();
      // </turn>
      return new String[] {tools, result.text(), more};
    }
  }
}
