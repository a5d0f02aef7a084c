package dev.toolcrib.quickstart;

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

  /** What the service talks to. */
  interface Model {
    void request(String tools);

    void answer(String text);
  }

  static void turn(ToolSessions sessions, Caller caller, Model model) throws Exception {
    // <turn>
    try (ToolConversation conversation = sessions.open(caller, "conversation-1")) {
      // a request to the model declares what is active; at first that is tool_search alone
      model.request(conversation.render(Target.OPENAI_CHAT).json());

      // the model calls tool_search, or a tool it was given; the text goes back to it
      CallResult result =
          conversation.call(CallRequest.of("tool_search", "{\"query\": \"订单到哪一步了\"}")).get();
      model.answer(result.text());

      // the next request declares what was found as well, behind what was there before
      model.request(conversation.render(Target.OPENAI_CHAT).json());
    }
    // </turn>
  }
}
