import { once } from "node:events";
import { createServer } from "node:net";

/** Distance from a server's port to its debugger's port: Node's 9229 for wrangler's 8787. */
export const INSPECTOR_PORT_DISTANCE = 9229 - 8787;

/** Ports below the ephemeral ports (Linux: from 32768). */
const [LOWEST, HIGHEST] = [20_000, 31_000];

const usedPorts = new Set<number>();

/** @returns a port that is free, whose debugger port is free, too. No port is returned twice */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const ports = [port, port + INSPECTOR_PORT_DISTANCE];
    if (ports.some((each) => usedPorts.has(each))) continue;
    if (!(await isFree(port)) || !(await isFree(port + INSPECTOR_PORT_DISTANCE))) continue;
    for (const each of ports) usedPorts.add(each);
    return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const free = await new Promise<boolean>((settle) => {
    probe.once("error", () => {
      settle(false);
    });
    probe.listen(port, () => {
      settle(true);
    });
  });
  if (!free) return false;
  probe.close();
  await once(probe, "close");
  return true;
}
