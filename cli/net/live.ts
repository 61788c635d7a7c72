import { V1_PATH } from "#domain/v1/address.ts";
import type { Live } from "#engine/ports.ts";

/** Node's WebSocket sends headers, unlike a browser's. */
const NodeWebSocket = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket;

/**
 * The sender's sockets. An upload works without one: where a proxy is needed they do not open, and only those who
 * look on miss something.
 * @param idOf the id of the upload behind a link
 */
export function liveWith(origin: string, headers: Record<string, string>, idOf: (downloadId: string) => string): Live {
  return (downloadId, { onOpen, onMessage, onClose }) => {
    const address = `${origin.replace(/^http/, "ws")}${V1_PATH}/uploads/${idOf(downloadId)}/socket`;
    const socket = new NodeWebSocket(address, { headers });
    socket.addEventListener("open", onOpen);
    socket.addEventListener("message", ({ data }) => {
      onMessage(data);
    });
    socket.addEventListener("close", onClose);
    return socket;
  };
}
