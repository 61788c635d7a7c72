/** What the proof of protected links has counted. */
export interface GuardCounts {
  links: number;
  /** Links whose downloads were used up, and that are closed for good. */
  closedLinks: number;
  recipients: number;
  /** Recipients that had a whole file, equal by SHA-256, and were counted. */
  finished: number;
  /** Recipients that had a whole file, and were not counted because a kill came before the report. */
  uncounted: number;
  /** Downloads by recipients that had been counted before. */
  readAgain: number;
  /** Responses that a recipient or a kill broke off. */
  broken: number;
  /** Responses that continued an earlier response that broke off. */
  resumed: number;
  /** Recipients that left before the end of a file. */
  left: number;
  /** Recipients that got no lease, or no new lease after their own had lapsed. */
  turnedAway: number;
  /** Requests for bytes without the grant or the lease, all refused. */
  refusals: number;
  ownersChanges: number;
  /** How often a link's limit was compared with the counted downloads and the held leases. */
  looks: number;
}

export const NOTHING_YET: GuardCounts = {
  links: 0,
  closedLinks: 0,
  recipients: 0,
  finished: 0,
  uncounted: 0,
  readAgain: 0,
  broken: 0,
  resumed: 0,
  left: 0,
  turnedAway: 0,
  refusals: 0,
  ownersChanges: 0,
  looks: 0,
};
