import { readdir, readFile } from "node:fs/promises";
import { KIB } from "#domain/units.ts";
import type { LocalServer } from "../../scripts/local-server.ts";

/** What the system has given a process, bytes; 0 when it has ended. */
export async function residentBytesOf(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(await read(pid, "status"))?.[1] ?? 0) * KIB;
}

/**
 * The process that runs the Worker, its Durable Objects and the stores' emulation. Wrangler has a second one of its kind,
 * which hands requests on and has nothing to be debugged.
 * @throws Error when there is none
 */
export async function runtimeOf(server: LocalServer): Promise<number> {
  const group = String(server.processGroup());
  for (const pid of (await readdir("/proc")).map(Number).filter((number) => !Number.isNaN(number))) {
    // After the name, which may hold anything: state, parent, group.
    const [, , groupOf] = (await read(pid, "stat")).split(") ").at(-1)?.split(" ") ?? [];
    if (groupOf === group && /workerd\0serve\0.*--inspector-addr=/s.test(await read(pid, "cmdline"))) return pid;
  }
  throw new Error("the server has no runtime");
}

function read(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
}
