import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { eventually } from "./processes.ts";

/**
 * A console message of the Web Inspector's protocol (WebKit, Source/JavaScriptCore/inspector/protocol/Console.json).
 */
interface ConsoleMessage {
  level: string;
  text: string;
  url?: string;
}

interface InspectorEvent {
  method?: string;
  params?: { targetInfo?: { targetId: string }; message?: string };
}

/**
 * Reads console errors through the Web Inspector: WebDriver has no console, and an automated browser prints none.
 * MiniBrowser serves the inspector over HTTP at WEBKIT_INSPECTOR_HTTP_SERVER.
 * @param port of that address
 * @returns the growing list of errors, and a function that stops
 */
export async function watchConsole(port: number): Promise<{ errors: string[]; stop: () => void }> {
  const address = `127.0.0.1:${port}`;
  const path = await eventually("the Web Inspector lists the page", async () => {
    const list = await (await fetch(`http://${address}/`)).text();
    const [found] = /\/socket\/\d+\/\d+\/WebPage/.exec(list) ?? [];
    if (found === undefined) throw new Error(list);
    return found;
  });
  const socket = new WebSocket(`ws://${address}${path}`);
  const errors: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const { method, params } = JSON.parse(String(data)) as InspectorEvent;
    // A page from another origin may be another target, so the console is enabled for each target.
    if (method === "Target.targetCreated" && params?.targetInfo) {
      const message = JSON.stringify({ id: 1, method: "Console.enable" });
      const { targetId } = params.targetInfo;
      socket.send(JSON.stringify({ id: 1, method: "Target.sendMessageToTarget", params: { targetId, message } }));
    }
    if (method === "Target.dispatchMessageFromTarget") errors.push(...errorsIn(params?.message ?? "{}"));
  });
  await once(socket, "open");
  return {
    errors,
    stop: () => {
      socket.close();
    },
  };
}

function errorsIn(text: string): string[] {
  const { method, params } = JSON.parse(text) as { method?: string; params?: { message?: ConsoleMessage } };
  const message = params?.message;
  if (method !== "Console.messageAdded" || message?.level !== "error") return [];
  return [`${message.text} ${message.url ?? ""}`];
}

/** TCP states (Linux, include/net/tcp_states.h). */
const ESTABLISHED = "01";
const LISTENING = "0A";

/** MiniBrowser connects to its own port to register its pages and to list them. */
const OWN_CONNECTIONS = 2;

/**
 * Finds the port at which WebKitWebDriver reaches a MiniBrowser that the driver did not start. MiniBrowser prints
 * nothing about the port that it chooses, but Linux lists the ports of a process (proc(5), /proc/pid/net/tcp).
 * @param except the inspector's port
 * @returns the port, once MiniBrowser itself is connected to the port: a driver that connects earlier sees no pages
 */
export function automationPort(pid: number, except: number): Promise<number> {
  return eventually("MiniBrowser listens", async () => {
    const sockets = await socketsOf(pid);
    const listening = sockets.filter(({ state }) => state === LISTENING).map(({ port }) => port);
    const port = listening.find((each) => each !== except);
    const connected = sockets.filter((socket) => socket.port === port && socket.state === ESTABLISHED);
    if (port === undefined || !listening.includes(except) || connected.length < OWN_CONNECTIONS) {
      throw new Error(`it listens on ${listening.join(", ")} with ${connected.length} connections`);
    }
    return port;
  });
}

async function socketsOf(pid: number): Promise<{ port: number; state: string }[]> {
  const folder = `/proc/${pid}/fd`;
  const links = (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => ""));
  const inodes = (await Promise.all(links)).map((name) => /^socket:\[(\d+)\]$/.exec(name)?.[1]);
  const rows = (await readFile(`/proc/${pid}/net/tcp`, "utf8")).split("\n").map((row) => row.trim().split(/\s+/));
  return rows
    .filter(([, , , , , , , , , inode]) => inode !== undefined && inodes.includes(inode))
    .map(([, local = "", , state = ""]) => ({ port: parseInt(local.split(":")[1] ?? "", 16), state }));
}
