import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import type { Certificate } from "./store-front.ts";
import type { LineLog } from "./line-log.ts";
import type { DOORS, LineCommand, Targets } from "./line-process.ts";
import type { LineShape } from "./shapes.ts";

/**
 * Opens listening sockets, and then executes Node with their numbers. Node itself cannot set the sockets' options.
 * Without these options the kernel takes megabytes from a browser before they were on the line, and the browser reports
 * such bytes as sent.
 */
const LISTEN = `
use Socket;
$^F = 255;
my $count = shift;
my (@sockets, @numbers);
for (1 .. $count) {
  socket(my $socket, PF_INET, SOCK_STREAM, 0) or die $!;
  setsockopt($socket, SOL_SOCKET, SO_RCVBUF, pack("i", 49152)) or die $!;
  setsockopt($socket, 6, 2, pack("i", 1400)) or die $!;
  bind($socket, sockaddr_in(0, INADDR_LOOPBACK)) or die $!;
  listen($socket, 128) or die $!;
  push @sockets, $socket;
  push @numbers, fileno($socket);
}
exec(@ARGV, @numbers) or die $!;
`;

export interface RunningLine {
  /** The addresses that the browser opens. */
  origins: Record<(typeof DOORS)[number], string>;
  lead(targets: Targets): Promise<void>;
  begin(shape: LineShape, seed: string): Promise<void>;
  read(): Promise<LineLog>;
  stop(): void;
}

/**
 * Starts a line in a process of its own, so that nothing else delays its clock. Needs perl.
 * @param certificate with which the store speaks HTTP/2, as R2 does; null for HTTP/1.1
 */
export async function startLine(certificate: Certificate | null): Promise<RunningLine> {
  const args = ["-e", LISTEN, "4", process.execPath, resolve("bench/lines/line-process.ts")];
  const child = spawn("perl", args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const failed = once(child, "exit").then(() => {
    throw new Error("the line has ended");
  });
  failed.catch(() => undefined);
  const nextAnswer = async () => {
    const [message] = (await Promise.race([once(child, "message"), failed])) as [{ answer: unknown }];
    return message.answer;
  };
  const ask = (command: LineCommand) => {
    const answered = nextAnswer();
    child.send(command);
    return answered;
  };
  const ports = (await nextAnswer()) as Record<(typeof DOORS)[number], number>;
  const originOf = (name: (typeof DOORS)[number], scheme = "http") => `${scheme}://localhost:${ports[name]}`;
  return {
    origins: {
      app: originOf("app"),
      store: originOf("store", certificate ? "https" : "http"),
      tus: originOf("tus"),
      relay: originOf("relay"),
    },
    lead: async (targets) => {
      await ask({ do: "lead", ...targets, certificate });
    },
    begin: async (shape, seed) => {
      await ask({ do: "begin", shape, seed });
    },
    read: () => ask({ do: "read" }) as Promise<LineLog>,
    stop: () => {
      child.kill();
    },
  };
}
