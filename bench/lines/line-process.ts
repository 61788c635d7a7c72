import { Line } from "./line.ts";
import { LINES, type LineShape } from "./shapes.ts";
import { openStoreFront, type Certificate } from "./store-front.ts";

/**
 * A line in a process of its own: `node line-process.ts FD...`, one listening socket for each door, with an IPC channel.
 * `DOORS` has the names of its doors.
 */
export const DOORS = ["app", "store", "tus", "relay"] as const;

/** The ports of the servers behind a line. */
export interface Targets {
  appPort: number;
  tusPort: number;
  /** Null where no relay runs. */
  relayPort: number | null;
}

export type LineCommand =
  | ({ do: "lead"; certificate: Certificate | null } & Targets)
  | { do: "begin"; shape: LineShape; seed: string }
  | { do: "read" };

const [first] = LINES;
if (!first || !process.send) throw new Error("the line is started by the bench");
const line = new Line(first);
const ports: Record<string, number> = {};
const descriptors = process.argv.slice(2).map(Number);
for (const [index, name] of DOORS.entries()) {
  ports[name] = await line.open(name, { fd: descriptors[index] ?? -1 });
}

async function obey(command: LineCommand): Promise<unknown> {
  if (command.do === "read") return line.read();
  if (command.do === "begin") {
    line.begin(command.shape, command.seed);
    return null;
  }
  const { appPort, tusPort, relayPort, certificate } = command;
  const host = "127.0.0.1";
  line.leadTo("app", { host, port: appPort }, false);
  line.leadTo("store", { host, port: await openStoreFront(appPort, certificate) }, certificate !== null);
  line.leadTo("tus", { host, port: tusPort }, false);
  if (relayPort !== null) line.leadTo("relay", { host, port: relayPort }, false);
  return null;
}

process.on("message", (command: LineCommand) => {
  void obey(command).then((answer) => process.send?.({ answer }));
});
// The bench has ended, as planned or not.
process.on("disconnect", () => process.exit());
process.send({ answer: ports });
