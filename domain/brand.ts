/** The product's name, which a test allows in no other code but the names of headers. */
export const PRODUCT_NAME = "Mayfly";

export const PRODUCT_TAGLINE = "Files that live as long as they should";
