/** The product's name: the only place it is written for people to read (decisions, top). */
export const PRODUCT_NAME = "Mayfly";

/** One line that says what the product does. */
export const PRODUCT_TAGLINE = "Files that live as long as they should";
