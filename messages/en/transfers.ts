/** The tree of a transfer's files, and its download page. */
export const transfers = {
  files: "Files",
  selectAll: "Select all",
  selectEntry: "Select {name}",
  selectFolder: "Select everything in {name}",
  emptyFolder: "Empty folder",
  fileCount: "{count, plural, =0 {No files} one {# file} other {# files}}",
  countAndSize: "{count, plural, =0 {No files} one {# file} other {# files}}, {size}",
  loadingMore: "Loading more files…",
  entryDownloads: "{count, plural, one {# download} other {# downloads}}",
  listLoading: "Loading the list of files…",
  listFailed: "The list of files could not be loaded.",
  listGone: "The list was deleted with the files.",

  ready: "Your files are ready",
  littleTime: "These files expire soon. A download that has started by then will still finish.",
  stillUploading:
    "The sender is still uploading. You can already download the files that have arrived. Keep this page open: the rest appears here.",
  arrived: "{percent} % have arrived",
  noFilesYet: "No files yet. They appear here as soon as the sender adds them.",
  arriving: "Arriving",
  waiting: "Waiting",
  stored: "Arrived",
  removed: "Removed",
  showDetails: "Preview and details of {name}",

  downloadAll: "Download all (ZIP, {size})",
  selected: "{count, plural, =0 {Empty folders} one {# file} other {# files}} selected, {size}",
  loadingSelection: "Loading the rest of the list…",
  clearSelection: "Clear",
  downloadSelected: "Download {count, plural, =0 {empty folders} one {# file} other {# files}} (ZIP)",
  changedMeanwhile: "The files have changed",
  changedMeanwhileHelp: "The sender has removed files since you opened this page. It now shows what is there.",
  notStarted: "Download not started",
  notStartedHelp: "The download could not be started. Please try again in a moment.",

  reportTransfer: "Report these files",
} as const;
