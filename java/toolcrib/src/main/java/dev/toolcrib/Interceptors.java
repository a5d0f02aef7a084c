package dev.toolcrib;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The interceptors of a registry; where one throws, whatever it is, the answer is no. */
final class Interceptors {

  private static final Logger LOG = LoggerFactory.getLogger(ToolCallInterceptor.class);
  private static final ToolCallInterceptor.Step UNDECIDED =
      ToolCallInterceptor.Step.refuse("This call could not be checked. Do not try it again now.");

  private final List<ToolCallInterceptor> interceptors;

  Interceptors(List<ToolCallInterceptor> interceptors) {
    this.interceptors = List.copyOf(interceptors);
  }

  int size() {
    return interceptors.size();
  }

  ToolCallInterceptor.Step before(int index, ToolCall call) {
    ToolCallInterceptor interceptor = interceptors.get(index);
    try {
      ToolCallInterceptor.Step step = interceptor.before(call);
      if (step != null) {
        return step;
      }
      LOG.warn("call {} refused: {} answered null", call.callId(), name(interceptor));
    } catch (Throwable e) {
      LOG.warn("call {} refused: {} threw", call.callId(), name(interceptor), e);
    }
    return UNDECIDED;
  }

  /** The result to go on with; null if one of them could not be asked. */
  @Nullable ToolResult after(ToolCall call, ToolResult result) {
    ToolResult now = result;
    for (int index = interceptors.size() - 1; index >= 0; index--) {
      ToolCallInterceptor interceptor = interceptors.get(index);
      try {
        now = interceptor.after(call, now);
        if (now == null) {
          LOG.warn("result of {} withheld: {} answered null", call.callId(), name(interceptor));
          return null;
        }
      } catch (Throwable e) {
        LOG.warn("result of {} withheld: {} threw", call.callId(), name(interceptor), e);
        return null;
      }
    }
    return now;
  }

  private static String name(ToolCallInterceptor interceptor) {
    return interceptor.getClass().getName();
  }
}
