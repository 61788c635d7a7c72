import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../scripts/free-port.ts";

const TRIES = 100;
const TRY_EVERY_MS = 100;

/** The servers of magic-wormhole, which lead a file from one running program to another and store nothing. */
export interface Wormhole {
  relayPort: number;
  /** Sends a file. @param relay the sender's way to the relay, as `tcp:HOST:PORT` @returns settles when the program ends */
  send(path: string, code: string, relay: string): Promise<void>;
  /** Receives a file. @param path of the new file @returns settles when the program ends */
  receive(path: string, code: string, relay: string): Promise<void>;
  stop(): void;
}

/**
 * Starts the servers of magic-wormhole from Debian's packages magic-wormhole, python3-magic-wormhole-mailbox-server and
 * magic-wormhole-transit-relay. @returns null where they are not installed
 */
export async function startWormhole(): Promise<Wormhole | null> {
  const { status } = spawnSync("twist3", ["wormhole-mailbox", "--help"], { stdio: "ignore" });
  if (status !== 0) return null;
  const [mailboxPort, relayPort] = [await freePort(), await freePort()];
  const servers = [twist("wormhole-mailbox", mailboxPort, "--channel-db=:memory:"), twist("transitrelay", relayPort)];
  for (const port of [mailboxPort, relayPort]) await listening(port);
  const options = [`--relay-url=ws://127.0.0.1:${mailboxPort}/v1`];
  const run = async (relay: string, args: string[]) => {
    // Without listening sockets of their own, both programs meet at the relay, which is behind a line.
    const all = [...options, `--transit-helper=${relay}`, ...args, "--no-listen", "--hide-progress"];
    const program = spawn("wormhole", all, { stdio: ["ignore", "ignore", "inherit"] });
    const [code] = (await once(program, "exit")) as [number | null];
    if (code !== 0) throw new Error(`wormhole ended with ${code}`);
  };
  return {
    relayPort,
    send: (path, code, relay) => run(relay, ["send", `--code=${code}`, path]),
    receive: (path, code, relay) => run(relay, ["receive", "--accept-file", `--output-file=${path}`, code]),
    stop: () => {
      for (const server of servers) server.kill();
    },
  };
}

function twist(plugin: string, port: number, ...more: string[]): ChildProcess {
  return spawn("twist3", [plugin, `--port=tcp:${port}:interface=127.0.0.1`, ...more], { stdio: "ignore" });
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await wait(TRY_EVERY_MS);
  }
  throw new Error(`nothing listens on port ${port}`);
}
