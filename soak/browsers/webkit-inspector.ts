import { once } from "node:events";
import { readdir, readFile, readlink } from "node:fs/promises";
import { eventually } from "./processes.ts";

/** A line of the console, as the Web Inspector's protocol has it (WebKit, Source/JavaScriptCore/inspector/protocol/Console.json). */
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
 * WebDriver has no console, and a browser under automation writes none to its output: its session is a private one.
 * The Web Inspector sees it. MiniBrowser offers the inspector over HTTP where WEBKIT_INSPECTOR_HTTP_SERVER names an address.
 * @param port of that address
 * @returns the errors, which grow as they come, and what ends the watching
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
    // A page that comes from elsewhere may be another target: each is asked for its console.
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

/** States of a connection (Linux, include/net/tcp_states.h). */
const ESTABLISHED = "01";
const LISTENING = "0A";

/** MiniBrowser speaks to its own port, too: once to offer its pages there, and once to list them over HTTP. */
const OWN_CONNECTIONS = 2;

/**
 * The port at which WebKitWebDriver reaches a MiniBrowser that it has not started itself. MiniBrowser chooses it, and
 * tells nobody; Linux knows on which ports a process listens (proc(5), /proc/pid/net/tcp).
 * @param except the inspector's other port
 * @returns it, once MiniBrowser itself is connected: the list stays empty when the driver comes before that
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

/** The sockets that a process has opened: their own ports, and their states. */
async function socketsOf(pid: number): Promise<{ port: number; state: string }[]> {
  const folder = `/proc/${pid}/fd`;
  const links = (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => ""));
  const inodes = (await Promise.all(links)).map((name) => /^socket:\[(\d+)\]$/.exec(name)?.[1]);
  const rows = (await readFile(`/proc/${pid}/net/tcp`, "utf8")).split("\n").map((row) => row.trim().split(/\s+/));
  return rows
    .filter(([, , , , , , , , , inode]) => inode !== undefined && inodes.includes(inode))
    .map(([, local = "", , state = ""]) => ({ port: parseInt(local.split(":")[1] ?? "", 16), state }));
}
