import { PRODUCT_NAME, PRODUCT_TAGLINE } from "#domain/brand.ts";

export function Footer() {
  return (
    <footer className="mt-20 border-t border-line">
      <p className="mx-auto max-w-6xl px-5 py-8 text-sm text-muted sm:px-6">
        © {PRODUCT_NAME}. {PRODUCT_TAGLINE}.
      </p>
    </footer>
  );
}
