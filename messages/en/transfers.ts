export const transfers = {
  selectEntry: "Select {name}",
  selectFolder: "Select everything in {name}",
  loadingMore: "Loading more files…",
} as const;
