/** What recipients read of a transfer. */
export interface TransferWords {
  /** "" is the default title. */
  title: string;
  message: string;
}
