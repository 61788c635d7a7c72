/** What a step spends of what is paid for by the piece. */
export interface Use {
  workerRequest?: number;
  workerCpuMs?: number;
  rowRead?: number;
  rowWritten?: number;
  objectRequest?: number;
  objectRowRead?: number;
  objectRowWritten?: number;
  classA?: number;
  classB?: number;
  storedGigabyteMonth?: number;
}

/** Incoming messages of a socket cost so much of a request (Cloudflare, "Durable Objects pricing"). */
const SOCKET_MESSAGE = 1 / 20;

/**
 * The steps of a file's life, as the database, the Durable Objects' own databases and the calls themselves account for
 * them. A row that is written costs one for itself, and one for each index that has it. Rows that Durable Objects read
 * are left out where they are less than a hundred: a thousand such steps cost a ten-thousandth of a dollar.
 */
export const STEPS = {
  start: { workerRequest: 1, rowRead: 11, rowWritten: 14, objectRequest: 2, objectRowWritten: 6, classA: 1 },
  /** From its opening until it is closed: at the upload, and twice at the counter of the sender's sockets. */
  socket: { workerRequest: 1, rowRead: 3, objectRequest: 3, objectRowWritten: 4 },
  /** A part that went straight to storage, and its receipt over the socket in a message of its own. */
  presignedPart: { objectRequest: SOCKET_MESSAGE, objectRowWritten: 2, classA: 1 },
  proxiedPart: { workerRequest: 1, rowRead: 3, objectRequest: 2, objectRowWritten: 2, classA: 1 },
  complete: { workerRequest: 1, rowRead: 12, rowWritten: 12, objectRequest: 1, objectRowWritten: 4, classA: 1 },

  startOfChunks: { workerRequest: 1, rowRead: 11, rowWritten: 14, objectRequest: 2, objectRowWritten: 8, classA: 1 },
  /** The alarm that hashes a file which came in chunks. */
  hash: { rowRead: 1, rowWritten: 1, objectRequest: 1, objectRowWritten: 2, classB: 1 },

  downloadPage: { workerRequest: 1, rowRead: 1, objectRequest: 1, objectRowWritten: 2 },
  download: { workerRequest: 1, rowRead: 3, rowWritten: 2, classB: 1 },
  /** What an expired file adds to a run of the cron. */
  sweep: { rowRead: 4, rowWritten: 3 },
  /** A run of the cron that finds nothing to do; what it reads grows a little with what the day has brought. */
  cron: { workerRequest: 1, rowRead: 60, rowWritten: 4 },
  /** What an hour's first run adds: a listing of what lies under `incoming/`. */
  leftovers: { classA: 1 },
} as const satisfies Record<string, Use>;

/** All chunks of an upload, which become parts of so many chunks each. What has come is counted anew with each chunk. */
export function chunks(count: number, perPart: number): Use {
  const parts = Math.ceil(count / perPart);
  let objectRowRead = 0;
  for (let index = 0; index < count; index += 1) objectRowRead += 4 + ((index % perPart) + 1) + (index + 1);
  return {
    workerRequest: count,
    rowRead: 3 * count,
    objectRequest: count,
    // A part that goes to storage empties its chunks and leaves its receipt.
    objectRowRead: objectRowRead + count + parts,
    objectRowWritten: 2 * count + count + 2 * parts,
    classA: parts,
  };
}

/** Each object that was written to wakes once, to forget: the upload, and the counters of starts and of sockets. */
export const FORGETTING = { upload: { objectRequest: 3 }, page: { objectRequest: 1 } } as const satisfies Record<
  string,
  Use
>;

/**
 * Milliseconds of CPU for each step: start, completion, page and download as `npm run bench -- cpu` measures them, rounded
 * up; the others are estimates.
 */
export const CPU_MS = {
  start: 6,
  socket: 3,
  proxiedPart: 6,
  chunk: 4,
  complete: 4,
  downloadPage: 5,
  download: 4,
  cron: 20,
} as const;
