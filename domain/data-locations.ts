/**
 * Where a deployment's rows and objects are. Empty: near whoever made them first, as all deployments before the setting
 * have it. `eu`: in the EU alone (a jurisdiction). The others are hints for the database and the bucket: Western and
 * Eastern Europe, Asia, Oceania, Western and Eastern North America.
 */
export const DATA_LOCATIONS = ["", "eu", "weur", "eeur", "apac", "oc", "wnam", "enam"] as const;
