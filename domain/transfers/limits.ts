import { KIB, MIB } from "../units.ts";

/** The most entries in a transfer on any plan. A test checks that no plan allows more `entries`. */
export const MAX_ENTRIES = 10_000;

/**
 * Entries have numbers below this. Numbers are never used twice, and an entry that changed while it was sent gets a new
 * number, so a full transfer needs more numbers than entries.
 */
export const MAX_ENTRY_NUMBERS = 2 * MAX_ENTRIES;

/** Objects have numbers below this. Each entry may be an object of its own, and be sent again in a new object. */
export const MAX_OBJECTS = 2 * MAX_ENTRIES;

export const MAX_ENTRIES_PER_BATCH = 500;
/** Objects that one batch may open. Each opened object costs a call to storage. */
export const MAX_OPENED_PER_BATCH = 24;
/** Objects that a start may open, so that its answer comes soon. */
export const MAX_OPENED_AT_START = 6;
/** The most hashes, dropped objects or removed entries in one batch. */
export const MAX_CHANGES_PER_BATCH = 200;

/** Size of the JSON of a start or a batch. */
export const MAX_BATCH_BYTES = 256 * KIB;

/** Smaller files share a pack of at most this size, unless the connection is slow. */
export const MAX_PACK_BYTES = 8 * MIB;
export const MAX_ENTRIES_PER_PACK = 500;
/** An object up to this size is sent in one piece; a larger file is sent in parts. */
export const MAX_PACK_OBJECT_BYTES = 16 * MIB;

/** Entries in one answer of the list. */
export const ENTRIES_PER_CALL = 500;
/** Entry numbers that the refusal of an incomplete transfer names. */
export const MAX_MISSING_LISTED = 100;

/** The length of a message to the recipients, in UTF-16 units. */
export const TRANSFER_MESSAGE_MAX_LENGTH = 2000;

/** The length in UTF-8 of a name, and of a path. Common file systems allow no longer name, and macOS no longer path. */
export const MAX_SEGMENT_BYTES = 255;
export const MAX_PATH_BYTES = 1024;
/** The length in UTF-8 of all paths of a transfer, removed ones too: laying out the ZIP holds all paths in memory. */
export const MAX_PATHS_BYTES = 2 * MIB;
/** The most segments of a path: its folders and the file's own name. */
export const MAX_PATH_DEPTH = 64;
