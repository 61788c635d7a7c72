/**
 * The location of a deployment's rows and objects. Empty: near whoever creates them, as in all deployments from before
 * this setting. `eu`: only in the EU (a jurisdiction). The others are hints for the database and the bucket: Western
 * and Eastern Europe, Asia, Oceania, Western and Eastern North America.
 */
export const DATA_LOCATIONS = ["", "eu", "weur", "eeur", "apac", "oc", "wnam", "enam"] as const;
