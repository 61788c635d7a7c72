import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { MailedButton } from "#app/features/account/mailed-button.tsx";
import { securityApi } from "#app/features/account/security-api.ts";
import { loadMessages, requestTranslator } from "#app/lib/i18n/messages.server.ts";
import { useMessages } from "#app/lib/i18n/messages.ts";
import { PRODUCT_NAME } from "#domain/brand.ts";

export const loader = ({ request }: LoaderFunctionArgs) => ({
  title: `${requestTranslator(request, "security")("keepFactorTitle")} · ${PRODUCT_NAME}`,
  messages: loadMessages(request, "security"),
});

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.title ?? PRODUCT_NAME },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "no-referrer" },
];

/** What the mail about the removal of a second factor leads to. */
export default function KeepFactor() {
  const t = useMessages("security");
  return (
    <MailedButton
      title={t("keepFactorTitle")}
      help={t("keepFactorHelp")}
      label={t("keepFactor")}
      send={securityApi.keepFactor}
      done={{ title: t("keepFactorDone"), text: () => t("keepFactorDoneHelp") }}
      endsEverything={false}
    />
  );
}
