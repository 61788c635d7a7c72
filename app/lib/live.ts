import type { Live } from "#engine/ports.ts";

/** The socket of whoever sends an upload. */
export const senderLive: Live = openWith((downloadId) => `/ws?${new URLSearchParams({ id: downloadId }).toString()}`);

/** The socket of whoever has the link: grant and lease are in cookies that are only sent to addresses below the link's. */
export const recipientLive: Live = openWith((downloadId) => `/api/files/download/${downloadId}/live`);

/** The server ends a socket for good with this code (RFC 6455 section 7.4.1). */
const POLICY_VIOLATION = 1008;

/** The socket of an account's pages. @param onRefused the session has ended */
export function accountLive(onRefused: () => void): Live {
  return openWith(() => "/ws/account", onRefused);
}

function openWith(pathOf: (downloadId: string) => string, onRefused?: () => void): Live {
  return (downloadId, { onOpen, onMessage, onClose }) => {
    const url = new URL(pathOf(downloadId), location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url.toString());
    socket.onopen = onOpen;
    socket.onmessage = ({ data }) => onMessage(data);
    socket.onclose = ({ code }) => {
      if (code === POLICY_VIOLATION) onRefused?.();
      onClose();
    };
    return socket;
  };
}
