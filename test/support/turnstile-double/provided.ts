import "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the double of Turnstile's siteverify. */
    turnstileUrl: string;
  }
}
