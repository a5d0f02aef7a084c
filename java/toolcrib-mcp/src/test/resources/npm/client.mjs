// Asks an endpoint as any client on the TypeScript SDK does: node client.mjs URL
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const client = new Client({ name: "typescript-client", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));

const changed = new Promise((resolve) => {
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve("changed"));
});
const names = async () => (await client.listTools()).tools.map((tool) => tool.name).join(",");

console.log("server", client.getServerVersion().name);
console.log("tools", await names());
const found = await client.callTool({
  name: "tool_search",
  arguments: { query: "weather forecast of a city" },
});
console.log("found", JSON.stringify(found.content));
if (client.getServerCapabilities().tools.listChanged) {
  console.log("list", await changed, await names());
  const direct = await client.callTool({
    name: "mcp__weather__forecast",
    arguments: { city: "Ulm" },
  });
  console.log("called", JSON.stringify(direct.content));
} else {
  const called = await client.callTool({
    name: "call_tool",
    arguments: { name: "mcp__weather__forecast", arguments: { city: "Ulm" } },
  });
  console.log("called", JSON.stringify(called.content));
}
await client.close();
