declare module "#build/messages.js" {
  import type { Locale } from "#domain/locale.ts";
  import type { CompiledGroup } from "#messages/compiled.ts";
  import type { Group } from "#messages/messages.ts";

  const compiled: Record<Locale, Record<Group, CompiledGroup>>;
  export default compiled;
}
