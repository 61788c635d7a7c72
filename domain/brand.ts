/** The product's name. A test forbids this name in all other code, except in the names of headers. */
export const PRODUCT_NAME = "Mayfly";

export const PRODUCT_TAGLINE = "Files that live as long as they should";
