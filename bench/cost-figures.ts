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
  queueOperation?: number;
  storedGigabyteMonth?: number;
  logLine?: number;
  objectGigabyteSecond?: number;
}

/** Share of a request that an incoming WebSocket message costs (Cloudflare, "Durable Objects pricing"). */
const SOCKET_MESSAGE = 1 / 20;

/**
 * Usage of each step, as counted by D1, the Durable Objects and the calls. A written row counts once, and once more for
 * each index that contains the row. Rows that a step reads in Durable Objects are left out below a hundred: a thousand
 * such steps cost $0.0001.
 */
export const STEPS = {
  start: { workerRequest: 1, rowRead: 10, rowWritten: 14, objectRequest: 2, objectRowWritten: 8, classA: 1 },
  /** The life of a sender's socket: the upload's object, and the counter of the sender's sockets, twice. */
  socket: { workerRequest: 1, rowRead: 3, objectRequest: 3, objectRowWritten: 4 },
  /** A part sent straight to storage, and the part's receipt in one socket message. */
  presignedPart: { objectRequest: SOCKET_MESSAGE, objectRowWritten: 3, classA: 1 },
  proxiedPart: { workerRequest: 1, rowRead: 3, objectRequest: 2, objectRowWritten: 3, classA: 1 },
  /** A segment beyond the first one of a file: it is opened, and joined by itself. */
  segment: { classA: 2, objectRowWritten: 4 },
  complete: {
    workerRequest: 1,
    rowRead: 28,
    rowWritten: 15,
    objectRequest: 1,
    objectRowWritten: 4,
    classA: 1,
    classB: 1,
  },

  startOfChunks: { workerRequest: 1, rowRead: 10, rowWritten: 14, objectRequest: 2, objectRowWritten: 10, classA: 1 },
  /** The alarm that hashes a file sent in chunks. */
  hash: { rowRead: 2, rowWritten: 1, objectRequest: 1, objectRowWritten: 2, classB: 1 },

  /** The start of a transfer of 500 files, which also opens the first pack. */
  startTransfer: { workerRequest: 1, rowRead: 9, rowWritten: 14, objectRequest: 2, objectRowWritten: 24, classA: 1 },
  /** A batch that opens one pack. */
  transferBatch: { workerRequest: 1, rowRead: 3, objectRequest: 1, objectRowWritten: 4, classA: 1, classB: 1 },
  /** The finish of a transfer with the receipts of two packs, which are joined and read back. */
  finishTransfer: {
    workerRequest: 1,
    rowRead: 37,
    rowWritten: 16,
    objectRequest: 1,
    objectRowWritten: 22,
    classA: 2,
    classB: 2,
  },

  downloadPage: { workerRequest: 1, rowRead: 1 },
  /** The first download of a link. The download is noted for the owner's mail, and the account's feed is told. */
  download: { workerRequest: 1, rowRead: 16, rowWritten: 8, objectRequest: 1, classB: 1, queueOperation: 3 },
  /** A later download of the same link, which is not noted again. */
  downloadAgain: { workerRequest: 1, rowRead: 13, rowWritten: 3, objectRequest: 1, classB: 1, queueOperation: 3 },

  /** The start of a stranger's transfer of one file through an upload request. */
  startSending: { workerRequest: 1, rowRead: 12, rowWritten: 16, objectRequest: 2, objectRowWritten: 20, classA: 1 },
  /** The end of that transfer, which is noted for the owner's mail. The account's feed is told of it. */
  finishSending: {
    workerRequest: 1,
    rowRead: 39,
    rowWritten: 20,
    objectRequest: 2,
    objectRowWritten: 14,
    classA: 1,
    classB: 1,
  },
  /** A page that opens the account's feed. */
  listen: { workerRequest: 1, rowRead: 2, objectRequest: 1 },
  /** A message of the feed asks whether its readers' sessions still stand. */
  hear: { rowRead: 3 },
  /** A notice's share of a cron run. As in `mailLink`, rows of the local mailbox count, which no deployment writes. */
  noticeMail: { rowRead: 34, rowWritten: 8, queueOperation: 3 },
  /** A delivery to a webhook: its share of the change that it tells of, and its try. The cron's cost one row more. */
  webhookDelivery: { rowRead: 21, rowWritten: 13, queueOperation: 3 },
  /** A link mailed to somebody. */
  mailLink: {
    workerRequest: 1,
    rowRead: 19,
    rowWritten: 11,
    objectRequest: 2,
    objectRowWritten: 4,
    queueOperation: 3,
  },
  /** An expired file's share of a cron run. */
  sweep: { rowRead: 8, rowWritten: 4 },
  /** A cron run without work. A run reads slightly more rows as the day goes on. */
  cron: { workerRequest: 1, rowRead: 142 },
  /** The row of a run: written for each third run without work, and deleted a day later. */
  keptRun: { rowWritten: 3 },
  forgottenRun: { rowWritten: 1 },
  /** A call of `/api/health` by a monitor. */
  health: { workerRequest: 1, rowRead: 40, objectRequest: 1, classB: 1 },
  /** The daily listing of `incoming/`. */
  leftovers: { classA: 1 },
} as const satisfies Record<string, Use>;

/** A transfer of 10,000 files of 100 KB. Packs hold 8 MB, so there are 124; a batch announces 500 files. */
export const MANY_FILES = {
  files: 10_000,
  packs: 124,
  /** All calls from the start to the finish. The PUTs of the packs are not included: they go straight to storage. */
  sent: {
    workerRequest: 21,
    rowRead: 105,
    rowWritten: 30,
    objectRequest: 22,
    objectRowRead: 4800,
    objectRowWritten: 1008,
    classA: 248,
    classB: 124,
  },
  /** The transfer's share of a cron run. */
  sweep: { rowRead: 37, rowWritten: 4, objectRequest: 1 },
} as const satisfies { files: number; packs: number; sent: Use; sweep: Use };

/** All chunks of an upload, of which `perPart` fill a part. Each chunk counts all received chunks anew. */
export function chunks(count: number, perPart: number): Use {
  const parts = Math.ceil(count / perPart);
  let objectRowRead = 0;
  for (let index = 0; index < count; index += 1) objectRowRead += 5 + ((index % perPart) + 1) + (index + 1);
  return {
    workerRequest: count,
    rowRead: 3 * count,
    objectRequest: count,
    // Storing a part deletes the part's chunks, and writes its receipt and its sum.
    objectRowRead: objectRowRead + count + parts,
    objectRowWritten: 2 * count + count + 3 * parts,
    classA: parts,
  };
}

/** Later deletions: alarms delete an upload and the counters of starts and sockets, the cron a download's id. */
export const FORGETTING = { upload: { objectRequest: 3 }, download: { rowWritten: 1 } } as const satisfies Record<
  string,
  Use
>;

/**
 * CPU milliseconds as measured by `npm run bench -- cpu`, rounded up. The figure of a download lies between those of
 * 100 KB and of 1 GB.
 */
export const CPU_MS = {
  start: 6,
  socket: 2,
  proxiedPart: 3,
  chunk: 10,
  complete: 4,
  downloadPage: 5,
  download: 4,
  cron: 17,
} as const;
