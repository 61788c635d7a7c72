import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FILE = ".dev.vars";
const EXAMPLE = ".dev.vars.example";

const GENERATED: Record<string, () => string> = {
  BETTER_AUTH_SECRET: () => randomBytes(32).toString("base64url"),
  DATA_KEY: () => randomBytes(32).toString("base64url"),
  ADMIN_USERNAME: () => "admin",
  ADMIN_PASSWORD: () => randomBytes(9).toString("base64url"),
};

/**
 * Creates .dev.vars from the example, or adds entries that are missing.
 * @returns the administrator's login
 */
export function ensureDevVars(): { username: string; password: string } {
  const lines = existsSync(FILE) ? readFileSync(FILE, "utf8").trimEnd().split("\n") : [];
  const known = parseVars(lines);
  const added: string[] = [];
  for (const line of readFileSync(EXAMPLE, "utf8").trimEnd().split("\n")) {
    const [name = "", value = ""] = line.split(/=(.*)/s);
    const isEntry = /^[A-Z0-9_]+$/.test(name);
    if (isEntry && known.has(name)) continue;
    if (isEntry) known.set(name, value || (GENERATED[name]?.() ?? ""));
    if (isEntry) added.push(`${name}=${known.get(name)}`);
    else if (lines.length === 0) added.push(line);
  }
  if (added.length > 0) writeFileSync(FILE, `${[...lines, ...added].join("\n")}\n`, { mode: 0o600 });
  return { username: known.get("ADMIN_USERNAME") ?? "", password: known.get("ADMIN_PASSWORD") ?? "" };
}

export function parseVars(lines: string[]): Map<string, string> {
  const entries = lines.map((line) => /^([A-Z0-9_]+)=(.*)$/.exec(line));
  return new Map(entries.flatMap((entry) => (entry ? [[entry[1] ?? "", entry[2] ?? ""]] : [])));
}
