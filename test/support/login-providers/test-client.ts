/** As every provider of the tests knows us. */
export const TEST_CLIENT = { clientId: "mayfly", clientSecret: "a secret that the provider knows" } as const;

/** The label of the field in the provider's form. */
export const ACCOUNT_FIELD = "Account at the provider";
