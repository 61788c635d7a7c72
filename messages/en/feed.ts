/** Who downloads, on the pages of a link's owner. */
export const feed = {
  heading: "Downloads of this link",
  somebody: "Somebody with the link",
  started: "started {time}",
  running: "downloading now",
  done: "done in {duration}",
  broken: "broke off",
  more: "and {count} more",
} as const;
