package dev.toolcrib.demo.access;

import dev.toolcrib.Caller;
import dev.toolcrib.spring.boot.security.AuthenticationCallers;
import java.util.Map;
import org.springframework.security.core.Authentication;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lets visitors of the running demo withdraw a right of their own tenant and watch what happens.
 */
@RestController
@RequestMapping("/demo/frozen/{source}")
final class FreezeController {

  private final BusinessConfiguration configuration;
  private final AuthenticationCallers callers;

  FreezeController(BusinessConfiguration configuration, AuthenticationCallers callers) {
    this.configuration = configuration;
    this.callers = callers;
  }

  @PutMapping
  Map<String, String> freeze(@PathVariable String source, Authentication who) {
    configuration.freeze(tenant(who), source);
    return Map.of("frozen", source, "tenant", tenant(who));
  }

  @DeleteMapping
  Map<String, String> thaw(@PathVariable String source, Authentication who) {
    configuration.thaw(tenant(who), source);
    return Map.of("thawed", source, "tenant", tenant(who));
  }

  private String tenant(Authentication who) {
    Caller caller = callers.callerOf(who);
    if (caller == null) {
      throw new IllegalStateException("the request came through without a login");
    }
    return caller.tenant();
  }
}
