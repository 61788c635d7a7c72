/**
 * The location of a deployment's rows and objects. With the empty location, rows and objects are near the person who
 * creates them, as in all deployments from before this setting. `eu` is a jurisdiction: rows and objects stay in the
 * EU. The other values are Cloudflare's hints for the place of the database and the bucket: Western and Eastern Europe,
 * Asia, Oceania, Western and Eastern North America.
 */
export const DATA_LOCATIONS = ["", "eu", "weur", "eeur", "apac", "oc", "wnam", "enam"] as const;
