import { redirect, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { Link, useLoaderData } from "@remix-run/react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, queryKeys } from "#app/api.ts";
import { FileRow } from "#app/components/file-row.tsx";
import { UnfinishedUploads } from "#app/components/unfinished-uploads.tsx";
import { buttonClass } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { toast } from "#app/components/ui/toast.tsx";
import { messageOf } from "#app/forms.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";
import type { ListedFile } from "#domain/wire.ts";

export const meta: MetaFunction = () => [{ title: `Dashboard · ${PRODUCT_NAME}` }];

export const loader = async ({ context }: LoaderFunctionArgs) => {
  const user = await context.currentUser();
  if (!user) throw redirect("/");
  const [files, unfinished] = await Promise.all([context.listFiles(user), context.listUnfinished(user)]);
  return { files, unfinished, origin: context.origin };
};

export default function Dashboard() {
  const { files: initialData, unfinished, origin } = useLoaderData<typeof loader>();
  const queries = useQueryClient();
  const { data: files } = useQuery({ queryKey: queryKeys.files, queryFn: api.files, initialData, retry: 3 });

  const remove = async (file: ListedFile) => {
    try {
      await api.deleteFile(file.id);
      queries.setQueryData<ListedFile[]>(queryKeys.files, (now) => now?.filter(({ id }) => id !== file.id));
      toast({ title: "File deleted", description: `${file.filename} and its link are gone.` });
    } catch (error) {
      toast({ title: "Delete failed", description: messageOf(error, "The file could not be deleted."), tone: "bad" });
    }
  };

  return (
    <div className="mx-auto max-w-4xl px-4 py-8 sm:px-6 lg:py-14">
      <UnfinishedUploads initial={unfinished} />
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="font-display text-4xl font-semibold">Your Files</h1>
        <Link to="/" className={buttonClass()}>
          Upload a file
        </Link>
      </div>
      <Card className="p-2! sm:p-3!">
        {files.length === 0 ? (
          <p className="px-4 py-14 text-center text-muted">Nothing here yet. Files you upload appear in this list.</p>
        ) : (
          <ul className="divide-y divide-line">
            {files.map((file) => (
              <FileRow key={file.id} file={file} shareUrl={`${origin}/download/${file.downloadId}`} onDelete={remove} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}
