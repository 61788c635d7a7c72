/** Replaces better-auth's telemetry, which is turned off (https://www.better-auth.com/docs/reference/telemetry). */
export function createTelemetry(): Promise<{ publish(): Promise<void> }> {
  return Promise.resolve({ publish: () => Promise.resolve() });
}
