/** The only place, beside the names of headers, where the product's name is written; a test checks this. */
export const PRODUCT_NAME = "Mayfly";

export const PRODUCT_TAGLINE = "Files that live as long as they should";
