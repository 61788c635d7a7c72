import { PRODUCT_NAME } from "#domain/brand.ts";

export const titled = (text: string): string => `${text} · ${PRODUCT_NAME}`;

interface LoadedPage {
  /** Absent if the loader failed. */
  data?: { title: string } | undefined;
}

/**
 * @param more further meta elements: the content of each by its name @returns the `meta` of a route whose loader
 * returns the title
 */
export function titleMeta(more: Record<string, string> = {}) {
  return ({ data }: LoadedPage) => [
    { title: data?.title ?? PRODUCT_NAME },
    ...Object.entries(more).map(([name, content]) => ({ name, content })),
  ];
}
