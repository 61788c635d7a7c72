/** WebSocket close codes (RFC 6455 section 7.4.1). */
export const NORMAL = 1000;
export const INVALID_PAYLOAD = 1007;
export const POLICY_VIOLATION = 1008;
export const TOO_BIG = 1009;

/** Codes that report a close and may not be sent in a Close frame. */
const REPORTED_ONLY = new Set([1005, 1006, 1015]);

/** The runtime does not answer a Close frame for hibernating sockets. */
export function echoClose(socket: WebSocket, code: number, reason: string): void {
  socket.close(REPORTED_ONLY.has(code) ? NORMAL : code, reason);
}
