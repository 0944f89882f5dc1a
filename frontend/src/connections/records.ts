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

/** Where a project's issues and pull requests are; every field is "" where it is connected to no forge. */
export interface Forge {
  kind: "" | "github" | "gitea";
  base_url: string;
  repository: string;
  /** The name of the team's secret that holds the token. */
  secret: string;
}

export interface ForgeCheck {
  ok: boolean;
  error: string;
  /** What the repository calls itself. */
  title: string;
}
