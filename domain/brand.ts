/** The only place where the product's name is written; a test checks this. */
export const PRODUCT_NAME = "Mayfly";

/** Part of `/api/v1`: it stays when the product gets another name. */
export const HEADER_PREFIX = "Mayfly-";

export const PRODUCT_TAGLINE = "Files that live as long as they should";
