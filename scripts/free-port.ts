import { once } from "node:events";
import { createServer } from "node:net";

/** The distance from a copy's port to that of its debugger: Node's is 9229, and copies on neighbouring ports keep apart. */
export const INSPECTOR_PORT_DISTANCE = 9229 - 8787;

/** Below the ports that systems give to outgoing connections, which come and go (Linux: 32768 and up). */
const [LOWEST, HIGHEST] = [20_000, 31_000];

/** Given by this process. */
const given = new Set<number>();

/** A port nobody listens on, nor on that of its debugger; each once. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const both = [port, port + INSPECTOR_PORT_DISTANCE];
    if (both.some((each) => given.has(each))) continue;
    if (!(await isFree(port)) || !(await isFree(port + INSPECTOR_PORT_DISTANCE))) continue;
    for (const each of both) given.add(each);
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
