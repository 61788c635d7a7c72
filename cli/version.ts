import metadata from "../package.json" with { type: "json" };

/** Of this program, and of the deployment that serves it. */
export const VERSION = metadata.version;
