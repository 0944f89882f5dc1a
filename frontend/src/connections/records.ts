/* Secrets and MCP servers as the API gives them. */

export interface Secret {
  id: string;
  name: string;
  hint: string;
  created: string;
}

export interface McpServer {
  id: string;
  name: string;
  description: string;
  scope: "team" | "project";
  transport: "stdio" | "http";
  command: string[];
  url: string;
  env: Record<string, string>;
  headers: Record<string, string>;
  enabled: boolean;
  created: string;
  /** When its tools were last listed, null before the first time. */
  listed: string | null;
  tool_count: number;
}

export interface McpCheck {
  ok: boolean;
  error: string;
  tools: { name: string; description: string }[];
  resources: { uri: string; name: string }[];
  seconds: number;
}

/** Where servers are configured: an API address to list and add at. */
export interface McpPlace {
  address: string;
  scope: McpServer["scope"];
  mayManage: boolean;
}
