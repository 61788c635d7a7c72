import { useSearchParams } from "@remix-run/react";
import { lazy, Suspense } from "react";
import { useHydrated } from "#app/lib/clock.ts";
import { importWhenOnline } from "#app/lib/script-loading/scripts.ts";
import { useSearchChange } from "#app/lib/search-params.ts";
import type { ListedFile } from "#domain/wire.ts";
import { nameOf } from "./file-name.ts";

const GuardsDialog = lazy(() => importWhenOnline(() => import("#app/ui/guards/guards-dialog.client.tsx")));

/** Opens the guards of `?guards={id}`, to which mails lead. Another page of the list may have that file. */
export function GuardsFromAddress({ files }: { files: readonly ListedFile[] }) {
  const [params] = useSearchParams();
  const show = useSearchChange();
  const hydrated = useHydrated();
  const id = params.get("guards");
  if (id === null || id === "" || !hydrated) return null;
  const file = files.find((listed) => listed.id === id);
  return (
    <Suspense>
      <GuardsDialog
        id={id}
        name={file && !file.seal ? nameOf(file) : null}
        onClose={() => {
          show({ guards: null, page: params.get("page") });
        }}
      />
    </Suspense>
  );
}
