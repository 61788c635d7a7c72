import { writeFileSync } from "node:fs";
import { disposableEmailBlocklist } from "disposable-email-domains-js";

/** Writes the domains of throw-away mail into build/throwaway-domains.js, as text that the Worker divides when it needs it. */
export function writeThrowawayDomains(): void {
  const domains = disposableEmailBlocklist().map((domain) => domain.toLowerCase());
  writeFileSync("build/throwaway-domains.js", `export default ${JSON.stringify(domains.join("\n"))};\n`);
}
