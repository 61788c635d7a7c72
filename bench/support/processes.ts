import { readdir, readFile } from "node:fs/promises";
import { KIB } from "#domain/units.ts";
import type { LocalServer } from "../../scripts/local-server.ts";

/** Resident memory of a process in bytes; 0 when it has ended. */
export async function residentBytesOf(pid: number): Promise<number> {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(await read(pid, "status"))?.[1] ?? 0) * KIB;
}

/**
 * Finds the process of the Worker, its Durable Objects and the stores' emulation. Wrangler's second workerd, a proxy,
 * has no debugger.
 * @throws Error when there is none
 */
export async function runtimeOf(server: LocalServer): Promise<number> {
  const group = String(server.processGroup());
  for (const pid of (await readdir("/proc")).map(Number).filter((number) => !Number.isNaN(number))) {
    // Fields after the name, which may contain anything: state, parent, group.
    const [, , groupOf] = (await read(pid, "stat")).split(") ").at(-1)?.split(" ") ?? [];
    if (groupOf === group && /workerd\0serve\0.*--inspector-addr=/s.test(await read(pid, "cmdline"))) return pid;
  }
  throw new Error("the server has no runtime");
}

function read(pid: number, file: string): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "");
}
