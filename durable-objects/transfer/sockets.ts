import { addRuns, type Run, type Runs } from "#domain/transfers/runs.ts";
import { transferProgress, type TransferMessage, type TransferProgress } from "#domain/wire.ts";
import { RELAY_INTERVAL_MS, SessionSockets, type SocketAdmission } from "../shared/session-sockets.ts";
import type { TransferStatus } from "./results.ts";
import type { TransferRecord } from "./state.ts";

/** The sockets of a transfer. Nothing is sent for each file: stored entries are gathered into runs. */
export class TransferSockets extends SessionSockets<TransferProgress, TransferProgress> {
  #stored: Run[] = [];
  #nextStored: ReturnType<typeof setTimeout> | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env, transferProgress);
  }

  /** @returns the client's end */
  accept(admission: SocketAdmission, { phase, plan }: TransferRecord, status: TransferStatus): WebSocket {
    const { entries, stored, progress: percent } = status;
    const state: TransferMessage = {
      type: "transfer_state",
      entries,
      bytes: plan.lifetime.sizeBytes,
      stored,
      percent: this.lastRelayed?.percent ?? percent,
    };
    return this.open(admission, [state], phase);
  }

  relayProgress(sender: WebSocket, progress: TransferProgress): void {
    this.relay(progress, sender);
  }

  /** Sends news to everybody, the sender too, at most ten times a second. */
  announceStored(runs: Runs): void {
    if (this.isEmpty) return;
    this.#stored = addRuns(this.#stored, runs);
    if (this.#nextStored !== undefined) return;
    this.#nextStored = setTimeout(() => {
      this.#nextStored = undefined;
      this.broadcast({ type: "entries_stored", runs: this.#stored } satisfies TransferMessage);
      this.#stored = [];
    }, RELAY_INTERVAL_MS);
  }
}
