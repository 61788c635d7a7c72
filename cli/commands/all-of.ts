import type { CallAnswer } from "#domain/v1/calls.ts";
import type { V1 } from "../net/v1.ts";

type Listing = "listReceived" | "listRequests" | "listTransfers";
type ItemOf<Name extends Listing> = CallAnswer<Name> extends { items: (infer Item)[] } ? Item : never;

/** A list's items, page by page as they are taken. @throws as `V1.call` */
export async function* allOf<Name extends Listing>(
  v1: V1,
  name: Name,
  query: { request?: string } = {},
): AsyncGenerator<ItemOf<Name>> {
  for (let cursor: string | undefined | null; cursor !== null;) {
    const page = (await v1.call(name, { query: { ...query, cursor } })) as {
      items: ItemOf<Name>[];
      next: string | null;
    };
    yield* page.items;
    cursor = page.next;
  }
}

/** The whole list. @throws as `V1.call` */
export async function listAll<Name extends Listing>(
  v1: V1,
  name: Name,
  query: { request?: string } = {},
): Promise<ItemOf<Name>[]> {
  const items: ItemOf<Name>[] = [];
  for await (const item of allOf(v1, name, query)) items.push(item);
  return items;
}
