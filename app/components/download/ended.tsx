import { Link } from "@remix-run/react";
import { FileX, Hourglass } from "lucide-react";
import { useMessages } from "#app/messages/messages.ts";
import { buttonClass } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";

/** A link that leads to nothing any more, or never did. */
export function Ended({ expired, message }: { expired: boolean; message: string }) {
  const say = useMessages("download");
  const Icon = expired ? Hourglass : FileX;
  return (
    <Card className="text-center">
      <span className="mx-auto grid size-16 place-items-center rounded-2xl bg-sunken text-amber-ink">
        <Icon size={30} aria-hidden />
      </span>
      <h1 className="mt-5 font-display text-3xl font-semibold">{say(expired ? "expired" : "notFound")}</h1>
      <p className="mt-2 text-muted">{message}</p>
      <p className="mt-1 text-muted">{say(expired ? "askSender" : "checkLink")}</p>
      <Link to="/" className={`${buttonClass("quiet")} mt-7`}>
        {say("sendYourOwn")}
      </Link>
    </Card>
  );
}
