/** Stands in for better-auth's telemetry in the Worker (wrangler.toml), which is switched off. */
export function createTelemetry(): Promise<{ publish(): Promise<void> }> {
  return Promise.resolve({ publish: () => Promise.resolve() });
}
