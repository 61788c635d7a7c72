import type { Live } from "#engine/ports.ts";

/** The socket of an upload's sender. */
export const senderLive: Live = openWith((downloadId) => `/ws?${new URLSearchParams({ id: downloadId }).toString()}`);

/**
 * The socket for people with the link. Browsers send a link's cookies only to paths below `/api/files/download/{id}`,
 * so the socket's path is there.
 */
export const recipientLive: Live = openWith((downloadId) => `/api/files/download/${downloadId}/live`);

/** The close code of a socket that the server ends for good (RFC 6455 section 7.4.1). */
const POLICY_VIOLATION = 1008;

/** The socket with an account's news. @param onRefused called when the sign-in session has ended */
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
