import { ADMIN_PAGE_SIZE, type Paged } from "#domain/wire.ts";

export function toPage<Item>(items: Item[], page: number | undefined, total: number): Paged<Item> {
  return { items, page: page ?? 1, pages: Math.max(1, Math.ceil(total / ADMIN_PAGE_SIZE)), total };
}
