import type { Live } from "#engine/ports.ts";

/** The socket of whoever sends an upload. */
export const senderLive: Live = openWith((downloadId) => `/ws?${new URLSearchParams({ id: downloadId }).toString()}`);

/** The socket of whoever has the link: its guards are in cookies that are only sent to addresses below the link's. */
export const recipientLive: Live = openWith((downloadId) => `/api/files/download/${downloadId}/live`);

function openWith(pathOf: (downloadId: string) => string): Live {
  return (downloadId, { onOpen, onMessage, onClose }) => {
    const url = new URL(pathOf(downloadId), location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url.toString());
    socket.onopen = onOpen;
    socket.onmessage = ({ data }) => {
      onMessage(data);
    };
    socket.onclose = onClose;
    return socket;
  };
}
