/** What a proof of guarded links has seen. */
export interface GuardCounts {
  links: number;
  /** Used up, and closed for good. */
  closedLinks: number;
  recipients: number;
  /** Had a whole file, equal by SHA-256, and were counted. */
  finished: number;
  /** Had a whole file, and were not counted: a kill came before the report. */
  uncounted: number;
  /** Downloads of recipients that had been counted before. */
  readAgain: number;
  /** Responses that a recipient or a kill broke off. */
  broken: number;
  /** Responses that went on where an earlier one broke off. */
  resumed: number;
  /** Recipients that left before the end. */
  left: number;
  /** Recipients that got no place, or not again after their own had lapsed. */
  turnedAway: number;
  /** Requests for bytes without the grant or the lease, all refused. */
  refusals: number;
  ownersChanges: number;
  /** How often each limit was compared with what was counted and held. */
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
