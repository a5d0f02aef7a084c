package dev.toolcrib;

import java.util.List;

/** The intersection of several authorizers. */
record AuthorizerChain(List<ToolAuthorizer> links) implements ToolAuthorizer {

  @Override
  public ToolSelection authorizedTools(Caller caller) {
    return links.stream()
        .map(link -> link.authorizedTools(caller))
        .reduce(ToolSelection::and)
        .orElse(ToolSelection.none());
  }

  @Override
  public Decision authorize(ToolCall call) {
    if (links.isEmpty()) {
      return Decision.deny("nothing is authorized");
    }
    for (ToolAuthorizer link : links) {
      Decision decision = link.authorize(call);
      if (!decision.permitted()) {
        return decision;
      }
    }
    return Decision.permit();
  }
}
