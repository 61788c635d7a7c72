/**
 * The location of a deployment's rows and objects. The empty location is near whoever creates them, as in all
 * deployments from before this setting. `eu` is a jurisdiction: rows and objects stay in the EU. The other values are
 * Cloudflare's hints for the place of the database and the bucket: Western and Eastern Europe, Asia, Oceania, Western
 * and Eastern North America.
 */
export const DATA_LOCATIONS = ["", "eu", "weur", "eeur", "apac", "oc", "wnam", "enam"] as const;
